import { inject } from "vitest";
import type { TrustScale } from "../../scripts/trust/scale.ts";

declare module "vitest" {
  interface ProvidedContext {
    trustScale: TrustScale;
  }
}

/** How much to try in this run, in Node and in workerd alike; set by vitest.config.ts. */
export const trustScale = (): TrustScale => inject("trustScale");
