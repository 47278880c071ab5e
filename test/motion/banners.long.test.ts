import { LOOK_IDS } from "#catalogue/looks.ts";
import { BANNER_SIZES, bannersWork } from "./banners.ts";

/** The tests of banners.ts in every size and look. */

bannersWork(LOOK_IDS, BANNER_SIZES);
