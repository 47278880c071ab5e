import type { BenchCase } from "./bench-case.ts";
import { previewCase } from "./cases/preview.ts";

/** Every case, in the order they run. */
export const CASES: readonly BenchCase[] = [previewCase];
