/** What one file may cost. */
export const CELL_LIMITS = {
  /** CPU time of the thread that works on the file: a loaded machine makes nothing look hung. */
  caseCpuMsMax: 1_000,
  /** A file is given up when the whole process, compilers and collector included, has used this many times its limit. */
  processCpuShareMax: 4,
  /** A file that waits for ever uses no CPU time. */
  caseWallMsMax: 120_000,
  /** Memory of all WASM instances that worked on the file. An isolate has 128 MB for everything. */
  wasmBytesMax: 100 * 1_048_576,
  /** Growth of the process's resident memory past what it had after its first good files. */
  residentGrowthBytesMax: 128 * 1_048_576,
  /** Files between two checks that good ones are still drawn right. */
  casesPerCheck: 100,
} as const;
