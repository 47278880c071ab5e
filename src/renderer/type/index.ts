export { type Coverage, indexCharacters, readCharacterIndex } from "./character-index.ts";
export { absentFromAny, type FontSet, missingCharacters, openFontSet } from "./font-set.ts";
export { paintText } from "./paint-text.ts";
export type { SetText } from "./place-lines.ts";
export { setText, type TextRequest } from "./set-text.ts";
