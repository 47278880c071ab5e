/** A page of a list, and the cursor before which the next page begins; null at the end. */
export interface Page<Item, Cursor> {
  readonly items: readonly Item[];
  readonly nextBefore: Cursor | null;
}

/** The page with its items as the interface shows them. */
export const presentPage = <Item, Shown, Cursor>(
  { items, nextBefore }: Page<Item, Cursor>,
  present: (item: Item) => Shown,
) => ({ items: items.map(present), nextBefore });

/** The page of at most `limit` items. One more was asked for, by which it is known that another page follows. */
export function toPage<Item, Cursor>(
  found: readonly Item[],
  limit: number,
  cursorOf: (last: Item) => Cursor,
): Page<Item, Cursor> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, nextBefore: found.length > limit && last !== undefined ? cursorOf(last) : null };
}
