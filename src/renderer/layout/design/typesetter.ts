import type { Look, Voice, VoiceName } from "#renderer/look/index.ts";
import {
  type FontSet,
  type FontWeight,
  fitText,
  isSingleWeight,
  type TextBlock,
} from "#renderer/type/index.ts";
import { type Canvas, isRow } from "./canvas-of-size.ts";

/** How a text is set; sizes in pixels. Its face, case, tracking and leading are the look's for that voice. */
export interface Setting {
  readonly voice: VoiceName;
  readonly sizePx: number;
  readonly lineHeight: number;
  readonly linesMax: number;
  readonly widthPx: number;
  readonly align: "start" | "center";
  /** Words are not broken, however small they would have to be. */
  readonly keepsWords?: boolean;
}

/** A set text with the two lines the eye aligns by: the top of the capitals and the last baseline. */
export interface Measured {
  readonly set: TextBlock;
  /** From the block's top to the top of the first line's capitals. */
  readonly capTopPx: number;
  /** From the capitals' top to the last baseline. */
  readonly heightPx: number;
}

/** How far the upper text's ink hangs under its last baseline, and the lower one's rises over its capitals. */
export function reachOf(upper: Measured, lower: Measured): number {
  const ink = upper.set.inkBox;
  const hanging = ink.y + ink.height - upper.capTopPx - upper.heightPx;
  return Math.max(0, hanging) + Math.max(0, lower.capTopPx - lower.set.inkBox.y);
}

/** Sizes in pixels at which a voice's words are set whole where they fit, rather than broken at a larger size. */
type WholeWordSizes = Partial<Readonly<Record<VoiceName, number>>>;

/** Share of a sentence's largest headline to which a headline shrinks before a word of it is hyphenated. */
const WHOLE_WORDS_SHARE = 0.6;
/** The same for phrases, as a share of that: they are parted without a hyphen. */
const WHOLE_PHRASES_SHARE = 0.85;
const UNHYPHENATED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** In a strip, where a broken word takes a line of the few, a headline shrinks to its least size first. */
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

/** Sets text at exact sizes and remembers the results: a layout tries the same words many times. */
export class Typesetter {
  readonly look: Look;
  readonly #fonts: FontSet;
  readonly #language: string | undefined;
  readonly #wholeFrom: WholeWordSizes;
  /** By a sum of the numbers of each, then compared: a key as text would cost more than most measurements. */
  readonly #known = new Map<number, Known[]>();

  /** `language` is a BCP 47 tag: it decides which capitals a letter has. */
  constructor(fonts: FontSet, look: Look, language: string | undefined, wholeFrom: WholeWordSizes = {}) {
    this.#fonts = fonts;
    this.look = look;
    this.#language = language;
    this.#wholeFrom = wholeFrom;
  }

  /** The fonts have one weight: an uploaded font without a bold. */
  get isSingleWeight(): boolean {
    return isSingleWeight(this.#fonts);
  }

  /** Null when the words do not fit the width in that many lines. */
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
    // A button's words are centred by the middle of their letters, others keep the space above their tops.
    const heightPx = setting.voice === "button" ? set.capHeightPx : set.topPx;
    return { set, capTopPx: first - heightPx, heightPx: last - first + heightPx };
  }

  /** A look may set buttons and badges in the face of its headlines; an uploaded font for headlines sets only them. */
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
      // Joined scripts break apart when letters are moved.
      letterSpacing: RIGHT_TO_LEFT.test(text) ? 0 : trackingOf(voice, setting.sizePx),
      align: setting.align,
    });
  }
}

/** Whether the first letter of the words is right-to-left: then the whole arrangement is mirrored. */
export const readsRightToLeft = (text: string): boolean => {
  const first = /[\p{L}]/u.exec(text);
  return first !== null && RIGHT_TO_LEFT.test(first[0]);
};

/** Large type looks loose and small type tight at the spacing it was drawn for; the look's own spacing comes on top. */
function trackingOf({ face, trackingEm }: Voice, sizePx: number): number {
  if (face !== "regular" && sizePx >= 56) return -0.022 + trackingEm;
  if (face !== "regular" && sizePx >= 26) return -0.014 + trackingEm;
  return (sizePx < 11 ? 0.008 : 0) + trackingEm;
}

/** Languages whose i keeps its dot as a capital. */
const DOTTED = /^(tr|az)\b/i;
/** Georgian has capitals (Mtavruli) that most fonts lack, and emphasises without them. */
const CASED = /\P{Script=Georgian}+/gu;
/** Greek vowels lose their accent (tonos) in a line of capitals; the diaeresis stays. */
const TONOS = /(\p{Script=Greek}\u0308?)\u0301/gu;

/** A text in capitals, as its language writes them; `language` is a BCP 47 tag. Scripts without capitals stay as they are. */
export function capitals(text: string, language: string | undefined): string {
  const dotted = language !== undefined && DOTTED.test(language) ? text.replace(/i/g, "\u0130") : text;
  const upper = dotted.replace(CASED, (part) => part.toUpperCase());
  return upper.normalize("NFD").replace(TONOS, "$1").normalize("NFC");
}
