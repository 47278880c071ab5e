import type { Bomb } from "../bomb.ts";

/** Helpers for SVG bombs. */

export const svg = (content: string, attributes = 'viewBox="0 0 1000 1000"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;

export const BOX = '<rect width="10" height="10"/>';

export const TOO_LARGE = ["TOO_LARGE/ASSET_UNREADABLE"];
export const FORBIDDEN = ["FORBIDDEN_CONTENT/ASSET_UNREADABLE"];
export const MALFORMED = ["NOT_WHAT_IT_CLAIMS/ASSET_UNREADABLE"];
export const UNSUPPORTED = ["UNSUPPORTED/ASSET_UNREADABLE"];
export const DRAWN = ["taken/drawn"];
/** The results of an SVG that is accepted. Whether it is drawn, empty or unreadable depends on the rasteriser. */
export const ACCEPTED = [...DRAWN, "taken/ASSET_UNREADABLE", "taken/ASSET_EMPTY"];

export const bomb = (name: string, outcomes: readonly string[], make: () => string): Bomb => ({
  name,
  kind: "svg",
  make: () => new TextEncoder().encode(make()),
  outcomes,
});
