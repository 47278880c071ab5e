import { FIRST_POSITION, type PassPosition } from "./copy-rows.ts";
import { MOVED_GROUPS } from "./move-tables.ts";

/** How far a copy has come, as a move stores it. */

export interface CopyPosition {
  /** Names the attempt on the target (`admitCopy`): each run has its own, and what an earlier one still sends fails there. */
  readonly since: number;
  /** When isolates were told to remember no key of the workspace. */
  readonly announcedAt: number;
  /** While open, behind `OPEN_PASSES` one more for what was noted; once closed, `BY_CHANGES` or a pass over all rows. */
  readonly pass: number;
  readonly at: PassPosition;
  /** How many groups the version copied while they are written to: another one begins at the first pass. */
  readonly known: number;
}

const KNOWN = MOVED_GROUPS.filter(({ isLate }) => !isLate).length;

/** Passes over all rows while they are written to: one copies them, and the other compares what it has copied. */
export const OPEN_PASSES = 2;
/** Instead of a pass, once nothing is written: what was noted last, and both sides counted. */
export const BY_CHANGES = 0;

/** The beginning of a pass. */
export const beginPass = (at: Pick<CopyPosition, "since" | "announcedAt">, pass: number): CopyPosition => ({
  since: at.since,
  announcedAt: at.announcedAt,
  pass,
  at: FIRST_POSITION,
  known: KNOWN,
});

const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): value is number => typeof value === "number";

function readPass(value: unknown): PassPosition {
  if (typeof value !== "object" || value === null) return FIRST_POSITION;
  const { part, groups, from, limit, changed }: Partial<Record<keyof PassPosition, unknown>> = value;
  if (!isNumber(limit) || !isNumber(changed)) return FIRST_POSITION;
  return {
    part: part === "copy" ? "copy" : "delete",
    groups: Array.isArray(groups) ? groups.filter(isNumber) : null,
    from: isText(from) || isNumber(from) ? from : null,
    limit,
    changed,
  };
}

/**
 * Reads what `copying` and `comparing` have stored; null for anything else. A version that noted no changes said nothing of
 * the announcement: what it copied is compared from the first row on.
 */
export function readCopyPosition(position: object | null): CopyPosition | null {
  const { since, announcedAt, pass, at, known }: Partial<Record<keyof CopyPosition, unknown>> =
    position ?? {};
  if (!isNumber(since) || !isNumber(pass)) return null;
  if (!isNumber(announcedAt)) return beginPass({ since, announcedAt: since }, 1);
  if (known !== KNOWN) return beginPass({ since, announcedAt }, 1);
  return { ...beginPass({ since, announcedAt }, pass), at: readPass(at) };
}

/** True at the beginning of a pass. */
export const isFirst = ({ part, groups }: PassPosition): boolean => part === "delete" && groups === null;
