import type { BenchCase } from "./bench-case.ts";
import { costCase } from "./cases/cost.ts";
import { dearestCase } from "./cases/dearest.ts";
import { decodeCase } from "./cases/decode.ts";
import { drainCase } from "./cases/drain.ts";
import { facesCase } from "./cases/faces.ts";
import { fairCase } from "./cases/fair.ts";
import { gifCase } from "./cases/gif.ts";
import { growthCase } from "./cases/growth.ts";
import { latencyCase } from "./cases/latency.ts";
import { memoryCase } from "./cases/memory.ts";
import { pack10Case } from "./cases/pack10.ts";
import { plateauCase } from "./cases/plateau.ts";
import { previewCase } from "./cases/preview.ts";
import { requestsCase } from "./cases/requests.ts";
import { startUpCase } from "./cases/start-up.ts";
import { studioCase } from "./cases/studio.ts";

/** Every case, in the order they run. */
export const CASES: readonly BenchCase[] = [
  pack10Case,
  decodeCase,
  facesCase,
  memoryCase,
  plateauCase,
  gifCase,
  requestsCase,
  latencyCase,
  drainCase,
  fairCase,
  growthCase,
  startUpCase,
  previewCase,
  studioCase,
  dearestCase,
  costCase,
];
