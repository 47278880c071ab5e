import { seededRandom } from "./pictures.ts";

const COLOURS = 60;

/** Device colours in bytes: extremes, greys, and others. */
export function sampleColours(channels: number): readonly (readonly number[])[] {
  const random = seededRandom(28);
  const byte = (): number => Math.floor(random() * 256);
  return Array.from({ length: COLOURS }, (_, at) => {
    if (at < 9) return new Array<number>(channels).fill(Math.min(255, at * 32));
    const colour = Array.from({ length: channels }, byte);
    return channels === 4 && at % 3 === 0 ? [...colour.slice(0, 3), 0] : colour;
  });
}
