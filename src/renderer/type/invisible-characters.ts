const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]$/u;

/** Whether a character draws nothing by its nature: blanks, joiners, variation selectors, marks of direction. */
export const isInvisibleCharacter = (character: string): boolean => INVISIBLE.test(character);
