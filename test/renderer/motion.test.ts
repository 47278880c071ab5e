import { FAMILIES } from "#renderer/index.ts";
import { movesInLooks } from "./motion.ts";

/** The tests of motion.ts in one look and every family; motion.long.test.ts has the other looks. */

movesInLooks(["classic"], FAMILIES);
