import { readFile } from "node:fs/promises";
import { inRoot } from "../../scripts/local/paths.ts";

/** What the cases that draw have in common: ten sizes, a logo and few words over a photograph. */

export const TEN_SIZE_IDS = [
  "iab-300x250",
  "iab-728x90",
  "iab-160x600",
  "gads-300x600",
  "iab-970x250",
  "iab-320x50",
  "meta-feed-1080x1080",
  "meta-feed-1080x1350",
  "meta-story-1080x1920",
  "meta-feed-1200x628",
] as const;

export const WORDS = { headline: "Two wheels, no excuses", cta: "Ride one today" };

export const readLogo = async (): Promise<Uint8Array<ArrayBuffer>> =>
  Uint8Array.from(await readFile(inRoot("samples/logo.svg")));
