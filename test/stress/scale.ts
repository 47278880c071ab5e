import { inject } from "vitest";
import type { StressScale } from "../../scripts/test/stress/scale.ts";

declare module "vitest" {
  interface ProvidedContext {
    stressScale: StressScale;
  }
}

/** How much to try in this run, in Node and in workerd alike; set by vitest.config.ts. */
export const stressScale = (): StressScale => inject("stressScale");
