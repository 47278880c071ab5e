import type { StressPart } from "./parts.ts";
import { partMsMaxOf } from "./scale.ts";

/** A part's time in milliseconds, and what its command learns of the run beside what this process has (scale.ts reads it). */
export function partEnvironment(
  part: StressPart,
  environment: NodeJS.ProcessEnv,
  shards: number,
  nowMs: number,
): { readonly partMsMax: number; readonly variables: Readonly<Record<string, string>> } {
  const partMsMax = partMsMaxOf(environment, part.minutesMax);
  return {
    partMsMax,
    variables: {
      NO_COLOR: "1",
      STRESS_SCALE: "full",
      ...part.environment,
      STRESS_PART: part.name,
      SHARDS: String(shards),
      STRESS_MINUTES: String(partMsMax / 60_000),
      STRESS_ENDS_AT: String(nowMs + partMsMax),
    },
  };
}
