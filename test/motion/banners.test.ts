import { BANNER_SIZES, bannersWork } from "./banners.ts";

/** The tests of banners.ts in one size and look; banners.long.test.ts has all of them. */

bannersWork(
  ["classic"],
  BANNER_SIZES.filter(({ sizeId }) => sizeId === "iab-300x250"),
);
