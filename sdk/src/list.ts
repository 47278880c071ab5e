import type { ApiPromise } from "./api-promise.ts";

/** A page of a list, newest first. */
export interface Page<T> {
  readonly items: readonly T[];
  /** `before` of the next page; null at the end. */
  readonly nextBefore: string | null;
}

/**
 * A list, read page by page as it is walked through.
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

  /** The first page alone. */
  firstPage(): ApiPromise<Page<T>> {
    return this.#readPage(undefined);
  }

  /** One page after another. */
  async *byPage(): AsyncGenerator<Page<T>, void, undefined> {
    for (let before: string | undefined; ; ) {
      const page = await this.#readPage(before);
      yield page;
      if (page.nextBefore === null) return;
      before = page.nextBefore;
    }
  }

  /** One item after another, through all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.byPage()) yield* items;
  }
}
