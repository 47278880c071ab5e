/** Limits of one file. */
export const CELL_LIMITS = {
  /** CPU time of the file's thread in ms. Wall-clock time would make a busy machine look like a hang. */
  caseCpuMsMax: 1_000,
  /**
   * A file is aborted when the whole process, including compilers and garbage collector, has used this many times the
   * file's CPU limit.
   */
  processCpuShareMax: 4,
  /** Wall-clock limit in ms, because a file that waits forever uses no CPU time. */
  caseWallMsMax: 120_000,
  /** Memory of all WASM instances that worked on the file. An isolate has 128 MB in total. */
  wasmBytesMax: 100 * 1_048_576,
  /** Growth of the process's resident memory since its first good files were read. */
  residentGrowthBytesMax: 128 * 1_048_576,
  /** Number of files after which all good files are drawn again and compared. */
  casesPerCheck: 100,
} as const;
