import type { Look, Voice, VoiceName } from "#renderer/look/index.ts";
import {
  type FontSet,
  type FontWeight,
  fitText,
  isSingleWeight,
  type TextBlock,
} from "#renderer/type/index.ts";
import { type Canvas, isRow } from "./canvas-of-size.ts";

/** How a text is set; sizes in pixels. Face, case, tracking and leading follow from the look's voice. */
export interface Setting {
  readonly voice: VoiceName;
  readonly sizePx: number;
  readonly lineHeight: number;
  readonly linesMax: number;
  readonly widthPx: number;
  readonly align: "start" | "center";
  /** Whether words are never broken. */
  readonly keepsWords?: boolean;
}

/** A set text with its two optical edges: the top of the capitals and the last baseline. */
export interface Measured {
  readonly set: TextBlock;
  /** Distance from the block's top to the top of the first line's capitals. */
  readonly capTopPx: number;
  /** Distance from the capitals' top to the last baseline. */
  readonly heightPx: number;
}

/** The upper text's descent below its last baseline plus the lower text's ascent above its capitals. */
export function reachOf(upper: Measured, lower: Measured): number {
  const ink = upper.set.inkBox;
  const hanging = ink.y + ink.height - upper.capTopPx - upper.heightPx;
  return Math.max(0, hanging) + Math.max(0, lower.capTopPx - lower.set.inkBox.y);
}

/** Per voice, the size in pixels down to which text shrinks before words are broken. */
type WholeWordSizes = Partial<Readonly<Record<VoiceName, number>>>;

/** A headline shrinks to this fraction of `headlinePxMax` before a word is hyphenated. */
const WHOLE_WORDS_SHARE = 0.6;
/** A headline in a script without hyphens shrinks further, by this factor, before a phrase is split. */
const WHOLE_PHRASES_SHARE = 0.85;
const UNHYPHENATED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** In a strip a broken word would use one of the few lines, so a headline shrinks to its minimum size first. */
export const wholeWordSizes = ({ shape, scale }: Pick<Canvas, "shape" | "scale">): WholeWordSizes => ({
  headline: Math.max(scale.headlinePxMin, isRow(shape) ? 0 : scale.headlinePxMax * WHOLE_WORDS_SHARE),
  button: scale.ctaPxMin,
});

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
const HEIGHT_PX_MAX = 16_384;

interface Known extends Setting {
  readonly text: string;
  readonly measured: Measured | null;
}

/** Sets text at exact sizes and caches the results: a layout tries the same text many times. */
export class Typesetter {
  readonly look: Look;
  readonly #fonts: FontSet;
  readonly #language: string | undefined;
  readonly #wholeFrom: WholeWordSizes;
  /**
   * The key is a number computed from the settings; settings with the same key are compared. A string key would cost
   * more than most measurements.
   */
  readonly #known = new Map<number, Known[]>();

  /** `language` is a BCP 47 tag: it decides how letters are capitalised. */
  constructor(fonts: FontSet, look: Look, language: string | undefined, wholeFrom: WholeWordSizes = {}) {
    this.#fonts = fonts;
    this.look = look;
    this.#language = language;
    this.#wholeFrom = wholeFrom;
  }

  /** Whether the fonts have only one weight, as an uploaded font without a bold does. */
  get isSingleWeight(): boolean {
    return isSingleWeight(this.#fonts);
  }

  /** Sets and measures a text. Null when it does not fit the width in `linesMax` lines. */
  measure(text: string, setting: Setting): Measured | null {
    const { voice, widthPx, sizePx, linesMax, lineHeight, align, keepsWords } = setting;
    const at = (widthPx * 1024 + sizePx) * 1024 + linesMax * 128 + text.length;
    const alike = this.#known.get(at) ?? [];
    for (const known of alike) {
      const isSameSize = known.sizePx === sizePx && known.widthPx === widthPx && known.linesMax === linesMax;
      const isSameStyle = known.voice === voice && known.lineHeight === lineHeight && known.align === align;
      if (isSameSize && isSameStyle && known.keepsWords === keepsWords && known.text === text)
        return known.measured;
    }
    const measured = this.#measure(text, setting);
    this.#known.set(at, [...alike, { ...setting, text, measured }]);
    return measured;
  }

  #measure(text: string, setting: Setting): Measured | null {
    const set = this.#set(text, setting);
    if (set === null) return null;
    const first = set.lines[0]?.baselinePx ?? 0;
    const last = set.lines[set.lines.length - 1]?.baselinePx ?? first;
    // A button's text is centred by its letters; the space above other text is measured from its top.
    const heightPx = setting.voice === "button" ? set.capHeightPx : set.topPx;
    return { set, capTopPx: first - heightPx, heightPx: last - first + heightPx };
  }

  /**
   * A look may set buttons and badges in its headline face; an uploaded headline font applies to headlines and prices
   * only.
   */
  #weightOf(name: VoiceName, { face }: Voice): FontWeight {
    if (name === "fine_print") return "fine_print";
    const isText = face === "display" && name !== "headline" && name !== "price";
    return isText && this.#fonts.hasTextFont ? "bold" : face;
  }

  #wholeFromPx(text: string, { voice }: Setting): number | undefined {
    const { [voice]: px } = this.#wholeFrom;
    return px === undefined || !UNHYPHENATED.test(text) ? px : px * WHOLE_PHRASES_SHARE;
  }

  #set(text: string, setting: Setting): TextBlock | null {
    const voice = this.look.type.voices[setting.voice];
    return fitText(this.#fonts, {
      text: voice.case === "capitals" ? capitals(text, this.#language) : text,
      weight: this.#weightOf(setting.voice, voice),
      widthPx: setting.widthPx,
      heightPx: HEIGHT_PX_MAX,
      fontSizePxMax: setting.sizePx,
      fontSizePxMin: setting.sizePx,
      wholeFromPx: setting.keepsWords === true ? 0 : this.#wholeFromPx(text, setting),
      linesMax: setting.linesMax,
      lineHeight: setting.lineHeight * voice.leading,
      // Joined scripts break apart with letter spacing.
      letterSpacing: RIGHT_TO_LEFT.test(text) ? 0 : trackingOf(voice, setting.sizePx),
      align: setting.align,
    });
  }
}

/** Whether the first letter is right-to-left: then the whole arrangement is mirrored. */
export const readsRightToLeft = (text: string): boolean => {
  const first = /[\p{L}]/u.exec(text);
  return first !== null && RIGHT_TO_LEFT.test(first[0]);
};

/** Large type looks loose and small type tight at its default spacing; the look's tracking is added. */
function trackingOf({ face, trackingEm }: Voice, sizePx: number): number {
  if (face !== "regular" && sizePx >= 56) return -0.022 + trackingEm;
  if (face !== "regular" && sizePx >= 26) return -0.014 + trackingEm;
  return (sizePx < 11 ? 0.008 : 0) + trackingEm;
}

/** Languages with a dotted capital İ. */
const DOTTED = /^(tr|az)\b/i;
/** Georgian has capitals (Mtavruli), but most fonts lack them, and Georgian does not use them for emphasis. */
const CASED = /\P{Script=Georgian}+/gu;
/** Greek vowels lose their accent (tonos) in capitals; the diaeresis stays. */
const TONOS = /(\p{Script=Greek}\u0308?)\u0301/gu;

/** A text in capitals by the rules of its language, a BCP 47 tag. Scripts without capitals are unchanged. */
export function capitals(text: string, language: string | undefined): string {
  const dotted = language !== undefined && DOTTED.test(language) ? text.replace(/i/g, "\u0130") : text;
  const upper = dotted.replace(CASED, (part) => part.toUpperCase());
  return upper.normalize("NFD").replace(TONOS, "$1").normalize("NFC");
}
