import { movesInLooks } from "./motion.ts";

/** Guarantee: what motion.ts says, in one look; motion.long.test.ts has the others. */

movesInLooks(["classic"]);
