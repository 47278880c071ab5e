import { inject } from "vitest";
import type { StressScale } from "../../scripts/test/stress/scale.ts";

declare module "vitest" {
  interface ProvidedContext {
    stressScale: StressScale;
  }
}

/** The scale of this run, in Node and in workerd; set by vitest.config.ts. */
export const stressScale = (): StressScale => inject("stressScale");
