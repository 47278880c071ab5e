/** Maximum number of open connections per invocation: developers.cloudflare.com/workers/platform/limits. */
const AT_ONCE = 6;

/** Runs work for each item, six at a time, and returns the results in order. */
export async function inGroups<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  }
  return results;
}
