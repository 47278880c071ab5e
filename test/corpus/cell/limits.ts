/** Limits of one file. */
export const CELL_LIMITS = {
  /** CPU time of the file's thread, so that a busy machine does not look like a hang. */
  caseCpuMsMax: 1_000,
  /** A file is aborted when the whole process, compilers and collector included, has used this many times its limit. */
  processCpuShareMax: 4,
  /** Wall-clock limit: a file that waits forever uses no CPU time. */
  caseWallMsMax: 120_000,
  /** Memory of all WASM instances that worked on the file. An isolate has 128 MB in total. */
  wasmBytesMax: 100 * 1_048_576,
  /** Growth of the process's resident memory over its state after its first good files. */
  residentGrowthBytesMax: 128 * 1_048_576,
  /** Files between two checks that good files are still drawn correctly. */
  casesPerCheck: 100,
} as const;
