import { inject } from "vitest";
import type { StressScale } from "../../scripts/test/stress/scale.ts";

declare module "vitest" {
  interface ProvidedContext {
    stressScale: StressScale;
  }
}

/** How much this run tries, in Node and in workerd; set by vitest.config.ts. */
export const stressScale = (): StressScale => inject("stressScale");
