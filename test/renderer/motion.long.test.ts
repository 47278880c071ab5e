import { LOOK_IDS } from "#catalogue/looks.ts";
import { movesInLooks } from "./motion.ts";

/** The tests of motion.ts in all looks but that of motion.test.ts. */

movesInLooks(
  LOOK_IDS.filter((look) => look !== "classic"),
  ["campaign", "product", "brand"],
);
