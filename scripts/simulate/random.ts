/** A seeded stream of numbers: equal seeds give equal streams, on every machine. */
export interface Random {
  /** Above 0 and below 1. */
  readonly uniform: () => number;
  /** Standard normal. */
  readonly normal: () => number;
  /** Exponential with this mean. */
  readonly exponential: (mean: number) => number;
  /** Log-normal with this mean and coefficient of variation; the mean itself where that is 0. */
  readonly logNormal: (mean: number, variation: number) => number;
}

const WORD = 2 ** 32;
const ROUNDS_TO_MIX = 12;

/**
 * A stream by sfc32, C. Doty-Humphrey's small fast counting generator (PractRand), whose period is at least 2^32 words.
 * Normals are made by the polar method of Marsaglia.
 */
export function randomOf(seed: number): Random {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = seed | 0;
  let counter = 1;
  const word = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < ROUNDS_TO_MIX; round += 1) word();

  const uniform = (): number => (word() + 0.5) / WORD;
  let spare: number | null = null;
  const normal = (): number => {
    if (spare !== null) {
      const kept = spare;
      spare = null;
      return kept;
    }
    for (;;) {
      const x = 2 * uniform() - 1;
      const y = 2 * uniform() - 1;
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const scale = Math.sqrt((-2 * Math.log(square)) / square);
      spare = y * scale;
      return x * scale;
    }
  };
  return {
    uniform,
    normal,
    exponential: (mean) => -mean * Math.log(uniform()),
    logNormal: (mean, variation) => {
      if (variation === 0) return mean;
      const variance = Math.log(1 + variation * variation);
      return mean * Math.exp(Math.sqrt(variance) * normal() - variance / 2);
    },
  };
}
