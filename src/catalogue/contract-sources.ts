import { SOURCES } from "./sources.ts";
import type { Contract, Source } from "./types.ts";

/** The sources of every figure in a contract's sizes, in the order of the source list. */
export function sourcesOf(contract: Contract): Source[] {
  const used = new Set(
    contract.sizes.flatMap((size) => [
      ...size.sourceIds,
      size.byteCapSourceId,
      size.safeAreaSourceId,
      size.borderSourceId,
      size.animation.durationSourceId,
      size.animation.framesPerSecondSourceId,
      size.animation.loopsSourceId,
      size.animation.framesSourceId,
      size.animation.backupSourceId,
    ]),
  );
  return SOURCES.filter((source) => used.has(source.sourceId));
}
