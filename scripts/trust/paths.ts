/** Where the result of a part is written; git ignores the folder. */
export const resultPath = (part: string): URL => new URL(`../../.cache/trust/${part}.json`, import.meta.url);

/** Everything a part printed. */
export const outputPath = (part: string): URL => new URL(`../../.cache/trust/${part}.log`, import.meta.url);
