export { type Coverage, indexCharacters, readCharacterIndex } from "./coverage-index.ts";
export { fitText, type TextRequest } from "./fit-text.ts";
export { type FontSet, type FontSources, type FontWeight, isSingleWeight, openFontSet } from "./font-set.ts";
export { type CharacterNeeds, characterNeeds, missingCharacters } from "./missing-characters.ts";
export { outlineOfText, paintText } from "./paint-text.ts";
export type { TextBlock } from "./place-text-block.ts";
export { sampleOf, setTexts } from "./set-texts.ts";
