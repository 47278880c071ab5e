import type { ApiPromise } from "./api-promise.ts";

/** A page of a list, newest first. */
export interface Page<T> {
  readonly items: readonly T[];
  /** `before` of the next page; null on the last page. */
  readonly nextBefore: string | null;
}

/**
 * A list that loads its pages while you iterate.
 *
 * @example
 * ```ts
 * for await (const asset of client.assets.list({ slotId: "logo" })) {
 *   console.log(asset.assetId, asset.fileName);
 * }
 * const newest = await client.jobs.list({ limit: 5 }).firstPage();
 * ```
 */
export class List<T> implements AsyncIterable<T> {
  readonly #readPage: (before: string | undefined) => ApiPromise<Page<T>>;

  constructor(readPage: (before: string | undefined) => ApiPromise<Page<T>>) {
    this.#readPage = readPage;
  }

  /** Fetches only the first page. */
  firstPage(): ApiPromise<Page<T>> {
    return this.#readPage(undefined);
  }

  /** Iterates over pages. */
  async *byPage(): AsyncGenerator<Page<T>, void, undefined> {
    for (let before: string | undefined; ; ) {
      const page = await this.#readPage(before);
      yield page;
      if (page.nextBefore === null) return;
      before = page.nextBefore;
    }
  }

  /** Iterates over the items of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.byPage()) yield* items;
  }
}
