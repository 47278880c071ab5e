import { FIRST_POSITION, type PassPosition } from "./copy-rows.ts";
import { MOVED_GROUPS } from "./move-tables.ts";

/** Progress of a copy, as stored in its move. */

export interface CopyPosition {
  /** Fencing token on the target (`admitCopy`). Each run has its own; writes of earlier runs fail. */
  readonly since: number;
  /** When the move was announced, so that isolates stop caching the workspace's keys. */
  readonly announcedAt: number;
  /**
   * Number of the pass. While the workspace accepts writes, passes up to `OPEN_PASSES` read all rows, and later ones
   * the change log. While writes are refused: `BY_CHANGES`, or a pass over all rows.
   */
  readonly pass: number;
  readonly at: PassPosition;
  /**
   * Number of groups (`KNOWN`) in the code that saved this position. After a deployment that changes the number, the
   * copy restarts at the first pass.
   */
  readonly known: number;
}

const KNOWN = MOVED_GROUPS.filter(({ isLate }) => !isLate).length;

/** Passes over all rows while the workspace accepts writes: the first copies, the second compares. */
export const OPEN_PASSES = 2;
/** Value of `pass` for the step that copies the last changes and counts both sides, while writes are refused. */
export const BY_CHANGES = 0;

/** The position at the start of a pass. */
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
 * Parses the position stored by `copying` and `comparing`; null for anything else. A position without `announcedAt` was
 * stored by a version without a change log: its copy is compared from the first row.
 */
export function readCopyPosition(position: object | null): CopyPosition | null {
  const { since, announcedAt, pass, at, known }: Partial<Record<keyof CopyPosition, unknown>> =
    position ?? {};
  if (!isNumber(since) || !isNumber(pass)) return null;
  if (!isNumber(announcedAt)) return beginPass({ since, announcedAt: since }, 1);
  if (known !== KNOWN) return beginPass({ since, announcedAt }, 1);
  return { ...beginPass({ since, announcedAt }, pass), at: readPass(at) };
}

export const isFirst = ({ part, groups }: PassPosition): boolean => part === "delete" && groups === null;
