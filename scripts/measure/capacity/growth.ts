/** What a finished pack keeps in its database, in bytes, indexes included, as it ages. */
export interface KeptBytes {
  /** Until its rows leave. */
  readonly kept: number;
  /** For good, once they have left: its ledger events. */
  readonly afterArchive: number;
  /** Days from its end until its rows leave; infinity when they stay. */
  readonly archiveAfterDays: number;
}

/** Bytes in a database at the end of a day, counted from 1, that gets so many packs on each. */
export function bytesAt(
  day: number,
  packsPerDay: number,
  { kept, afterArchive, archiveAfterDays }: KeptBytes,
) {
  const fresh = Math.min(day, archiveAfterDays);
  return packsPerDay * (fresh * kept + (day - fresh) * afterArchive);
}

/** The first day at whose end a database is over a limit; null when it is not within so many days. */
export function dayOver(
  limitBytes: number,
  packsPerDay: number,
  keeping: KeptBytes,
  daysMax: number,
): number | null {
  for (let day = 1; day <= daysMax; day += 1) {
    if (bytesAt(day, packsPerDay, keeping) > limitBytes) return day;
  }
  return null;
}
