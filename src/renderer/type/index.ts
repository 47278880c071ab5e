export { type Coverage, indexCharacters, readCharacterIndex } from "./character-index.ts";
export {
  absentFromAny,
  type FontSet,
  missingCharacters,
  openFontSet,
  type ShaperSource,
} from "./font-set.ts";
export { TYPE_LIMITS } from "./limits.ts";
export { paintText, type TextPaint } from "./paint-text.ts";
export type { SetLine, SetText } from "./place-lines.ts";
export { setText, type TextRequest } from "./set-text.ts";
