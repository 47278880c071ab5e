export { type Coverage, indexCharacters, readCharacterIndex } from "./coverage-index.ts";
export { fitText, type TextRequest } from "./fit-text.ts";
export { absentFromAny, type FontSet, type FontSources, missingCharacters, openFontSet } from "./font-set.ts";
export { paintText } from "./paint-text.ts";
export type { TextBlock } from "./place-text-block.ts";
