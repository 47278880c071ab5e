/** Where the result of a part is written; git ignores the folder. */
export const resultPath = (part: string): URL =>
  new URL(`../../../.cache/stress/${part}.json`, import.meta.url);

/** Everything a part printed. */
export const outputPath = (part: string): URL =>
  new URL(`../../../.cache/stress/${part}.log`, import.meta.url);

/** The names of the tests that have failed so far; not there while none has. */
export const failedPath = (part: string): URL =>
  new URL(`../../../.cache/stress/${part}.failed`, import.meta.url);
