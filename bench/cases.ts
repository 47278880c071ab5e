import type { BenchCase } from "./bench-case.ts";
import { decodeCase } from "./cases/decode.ts";
import { pack10Case } from "./cases/pack10.ts";
import { previewCase } from "./cases/preview.ts";

/** Every case, in the order they run. */
export const CASES: readonly BenchCase[] = [pack10Case, decodeCase, previewCase];
