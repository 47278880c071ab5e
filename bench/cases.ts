import type { BenchCase } from "./bench-case.ts";
import { costCase } from "./cases/cost.ts";
import { decodeCase } from "./cases/decode.ts";
import { memoryCase } from "./cases/memory.ts";
import { mostExpensiveCase } from "./cases/most-expensive.ts";
import { motionCase } from "./cases/motion.ts";
import { pack10Case } from "./cases/pack10.ts";
import { previewCase } from "./cases/preview.ts";
import { requestsCase } from "./cases/requests.ts";
import { startUpCase } from "./cases/start-up.ts";
import { studioCase } from "./cases/studio.ts";

/** Every case, in the order in which they run. */
export const CASES: readonly BenchCase[] = [
  pack10Case,
  decodeCase,
  memoryCase,
  requestsCase,
  startUpCase,
  previewCase,
  studioCase,
  mostExpensiveCase,
  motionCase,
  costCase,
];
