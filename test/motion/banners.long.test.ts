import { LOOK_IDS } from "#catalogue/looks.ts";
import { BANNER_SIZES, bannersWork } from "./banners.ts";

/** Guarantee: what banners.ts says, in every size and look. */

bannersWork(LOOK_IDS, BANNER_SIZES);
