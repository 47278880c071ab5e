import { BANNER_SIZES, bannersWork } from "./banners.ts";

/** Guarantee: what banners.ts says, in one size and look; banners.long.test.ts has all of them. */

bannersWork(
  ["classic"],
  BANNER_SIZES.filter(({ sizeId }) => sizeId === "iab-300x250"),
);
