/** A page of a list, with the cursor of the next page; null at the end. */
export interface Page<Item, Cursor> {
  readonly items: readonly Item[];
  readonly nextBefore: Cursor | null;
}

/** Converts the items of a page with `present`. */
export const presentPage = <Item, Shown, Cursor>(
  { items, nextBefore }: Page<Item, Cursor>,
  present: (item: Item) => Shown,
) => ({ items: items.map(present), nextBefore });

/** Makes a page of at most `limit` items. The query must request one more, which shows whether another page follows. */
export function toPage<Item, Cursor>(
  found: readonly Item[],
  limit: number,
  cursorOf: (last: Item) => Cursor,
): Page<Item, Cursor> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, nextBefore: found.length > limit && last !== undefined ? cursorOf(last) : null };
}
