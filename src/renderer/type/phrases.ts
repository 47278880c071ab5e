import { isUnbreakable } from "./unbreakable.ts";

/** A model of BudouX. All numbers are whole. */
export interface PhraseModel {
  /** By feature, the weights of letters that stand there. */
  readonly weights: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** The sum of all weights. */
  readonly total: number;
  /** Places that score less over half of all weights than this are between syllables of one word. */
  readonly marginMin: number;
}

/** The margins of Chinese and Thai, whose models else part "五|折|起" and "รอง|เท้า"; found by reading headlines. */
const MARGINS: Readonly<Record<string, number>> = { "zh-hans": 950, "zh-hant": 950, th: 1300 };

/** The features of a place in a text: their names, and the letters they look at, from and to, counted from the place. */
const FEATURES: readonly (readonly [name: string, from: number, to: number])[] = [
  ["UW1", -3, -2],
  ["UW2", -2, -1],
  ["UW3", -1, 0],
  ["UW4", 0, 1],
  ["UW5", 1, 2],
  ["UW6", 2, 3],
  ["BW1", -2, 0],
  ["BW2", -1, 1],
  ["BW3", 0, 2],
  ["TW1", -3, 0],
  ["TW2", -2, 1],
  ["TW3", -1, 2],
  ["TW4", 0, 3],
];

/** Reads the model of a language as its package has it, in JSON. */
export function readPhraseModel(language: string, json: Uint8Array): PhraseModel {
  const parsed: Record<string, Record<string, number>> = JSON.parse(new TextDecoder().decode(json));
  const weights = new Map(
    Object.entries(parsed).map(([name, each]) => [name, new Map(Object.entries(each))] as const),
  );
  let total = 0;
  for (const each of weights.values()) for (const weight of each.values()) total += weight;
  return { weights, total, marginMin: MARGINS[language] ?? 0 };
}

/**
 * The places in a text at which a phrase ends: those where the weights of the letters around sum up to more than half of
 * all weights (BudouX, https://github.com/google/budoux: a linear classifier of n-grams). No phrase is a single letter: it
 * joins the neighbour on the side that scores less.
 */
export function phraseEnds({ weights, total, marginMin }: PhraseModel, text: string): ReadonlySet<number> {
  const scores = new Map<number, number>();
  for (let at = 1; at < text.length; at += 1) {
    let score = 0;
    for (const [name, from, to] of FEATURES) {
      score += weights.get(name)?.get(text.slice(Math.max(0, at + from), Math.max(0, at + to))) ?? 0;
    }
    if (score * 2 > total + marginMin && !isUnbreakable(text, at)) scores.set(at, score);
  }
  const scoreAt = (at: number) => (at === 0 || at === text.length ? Infinity : scores.get(at));
  for (let at = 0; at < text.length; at += 1) {
    const [before, after] = [scoreAt(at), scoreAt(at + 1)];
    if (before !== undefined && after !== undefined) scores.delete(before < after ? at : at + 1);
  }
  return new Set(scores.keys());
}
