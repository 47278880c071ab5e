import { PRICES } from "./prices.ts";

/** Platform usage of a pack of ten sizes; test/fault/pack-costs.test.ts and pack-figures.long.test.ts count most of it. */

/** The ten sizes, shared by benchmarks, tests and the capacity estimate. */
export const TEN_SIZE_IDS = [
  "iab-300x250",
  "iab-728x90",
  "iab-160x600",
  "gads-300x600",
  "iab-970x250",
  "iab-320x50",
  "meta-feed-1080x1080",
  "meta-feed-1080x1350",
  "meta-story-1080x1920",
  "meta-feed-1200x628",
] as const;

export const WORDS = { headline: "Two wheels, no excuses", cta: "Ride one today" };

/** Number of source files: a photograph and a logo. */
const SOURCES = 2;
const PARTS = 3;

export const PACK_OF_TEN = {
  /** D1 rows written, including index entries: created, dispatched, each part claimed and completed, finished. */
  rowsOfBatches: [15, 2, 2, 1, 1, 1, 1, 1, 8],
  /** Ten files and the manifest. */
  objectsWritten: 11,
  /** Each part reads every source file. */
  objectsRead: PARTS * SOURCES,
  /** The request that creates the job, and one queue batch per part. */
  requests: 1 + PARTS,
  /** One message per part, which is written, read and deleted. */
  queueOperations: 3 * PARTS,
  /** Calls of Durable Objects: one, for the rate limit. */
  objectRequests: 1,
  /** From docs/bench.md, case `cost`: CPU time of the whole local process, including simulators. */
  cpuMsMeasured: 1_420,
} as const;

export const rowsOfPack = (): number => PACK_OF_TEN.rowsOfBatches.reduce((sum, rows) => sum + rows, 0);

/** Price of a pack of ten in US dollars, for a given CPU time. */
export const packPrice = (cpuMs: number): number =>
  cpuMs * PRICES.perCpuMs +
  PACK_OF_TEN.requests * PRICES.perRequest +
  rowsOfPack() * PRICES.perD1RowWritten +
  PACK_OF_TEN.objectsWritten * PRICES.perR2ClassA +
  PACK_OF_TEN.objectsRead * PRICES.perR2ClassB +
  PACK_OF_TEN.queueOperations * PRICES.perQueueOperation +
  PACK_OF_TEN.objectRequests * PRICES.perObjectRequest;
