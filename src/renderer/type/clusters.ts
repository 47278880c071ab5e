/** A cluster is what a reader sees as one character: a flag, an emoji with all its parts, a letter with its marks. */
const EMOJI =
  "\\p{RI}{2}|\\p{Emoji}(?:\\p{EMod}|\\uFE0F\\u20E3?|\\u20E3)(?:\\u200D\\p{Emoji}(?:\\p{EMod}|\\uFE0F)?)*|" +
  "\\p{Extended_Pictographic}(?:[\\u{E0020}-\\u{E007F}]+|(?:\\u200D\\p{Emoji}(?:\\p{EMod}|\\uFE0F)?)+)";
const CLUSTER = new RegExp(`${EMOJI}|\\P{M}\\p{M}*|\\p{M}+`, "gu");
const EMOJI_START = /^(?:\p{RI}|\p{Emoji_Presentation}|\p{Emoji}\p{EMod}|\p{Emoji}\uFE0F|.\uFE0F?\u20E3)/u;

/** A text's clusters in order; joined they are the text. */
export const clustersOf = (text: string): readonly string[] => text.match(CLUSTER) ?? [];

/** Whether a cluster is an emoji rather than a letter or sign. */
export const isEmoji = (cluster: string): boolean => EMOJI_START.test(cluster);

/** The code points of a cluster that must be drawn. */
export const drawnCodePoints = (cluster: string): readonly number[] =>
  [...cluster].flatMap((character) =>
    isInvisibleCharacter(character) || /\p{Cc}/u.test(character) ? [] : [character.codePointAt(0) ?? 0],
  );

const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]$/u;

/** Whether a character is invisible by definition: blanks, joiners, variation selectors, direction marks. */
export const isInvisibleCharacter = (character: string): boolean => INVISIBLE.test(character);
