import { LIMITS } from "../api/limits.ts";
import { clock } from "../platform/clock.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { type Copy, deletePage, doPage, FIRST_POSITION, type PassPosition } from "./copy-rows.ts";
import { type Databases, databaseOf, everyDatabase } from "./databases.ts";
import {
  admitCopy,
  announceMove,
  beginAtHome,
  beginCopying,
  beginRow,
  clearCredits,
  deleteMirroredMembers,
  endCopying,
  endMoving,
  forward,
  insertForwarder,
  ledgerSum,
  type Move,
  mirrorAnew,
  placeOf,
  redirect,
  refuseWrites,
  resendOpenWork,
  saveMove,
  settle,
  sharedRow,
  updateSharedRow,
  workUnderWay,
} from "./move-store.ts";
import { MOVED_GROUPS } from "./move-tables.ts";
import { DIRECTORY, isShardName } from "./shard-name.ts";

/**
 * Moves a workspace from one database to another, in steps that may each be broken off anywhere and done again: how far it
 * has come stands in the databases alone. At every moment one of them, and no other, may be written to, or none is for as
 * long as the last differences take. See README.md.
 */

/** A move that its databases contradict, or that is held up: the run ends, and the next one goes on. */
class MoveError extends Error {
  override readonly name = "MoveError";
}

/** Passes over rows that are still being written to; what changes meanwhile is left to the last ones. */
const OPEN_PASSES_MAX = 3;
/** A pass that has changed fewer roots than this is as good as the next. */
const FEW_ROOTS = 100;
/** Passes once nothing is written. The second has nothing to do, unless something is wrong. */
const CLOSED_PASSES_MAX = 4;
/** Work under way is waited for so long before writes are refused; then it is as if it had crashed, and is done anew. */
const DRAIN_MS_MAX = 5 * 60_000;
/** An isolate that remembered a key before the move was announced has forgotten it after this. */
const ANNOUNCED_MS_MIN = LIMITS.keyMemoryMs + 5_000;
/** Requests that read from the old database as the new one was opened have long been answered after this. */
const LEFT_MS_MIN = 60_000;
/** Position is saved after so many pages; those that a broken run has done beyond are compared once more. */
const PAGES_PER_SAVE = 20;

/** Where the phases `copying` and `comparing` have come to. */
interface CopyPosition {
  /** Names the attempt on the target (`admitCopy`). */
  readonly since: number;
  readonly pass: number;
  readonly at: PassPosition;
  /** How many groups the version knew that stored it: another one begins the pass anew. */
  readonly known: number;
}

const KNOWN = MOVED_GROUPS.length;

const beginPass = (since: number, pass: number): CopyPosition => ({
  ...{ since, pass, at: FIRST_POSITION, known: KNOWN },
});

/** Brings the shard that the directory names up to the people of a workspace. */
export type MirrorPeople = (workspaceId: string) => Promise<void>;

interface Sides {
  readonly source: D1Database;
  readonly target: D1Database;
}

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

function readCopyPosition(position: object | null): CopyPosition | null {
  const { since, pass, at, known }: Partial<Record<keyof CopyPosition, unknown>> = position ?? {};
  if (!isNumber(since) || !isNumber(pass)) return null;
  return known === KNOWN ? { since, pass, at: readPass(at), known } : beginPass(since, pass);
}

/** The name of a database as a move has stored it. */
function sideOf(databases: Databases, name: string): D1Database {
  const db = name === DIRECTORY || isShardName(name) ? databaseOf(databases, name) : null;
  if (db === null) throw new MoveError(`the database ${name} is not bound`);
  return db;
}

/** Moves one workspace on, for one run of the sweep. */
export class MoveRun {
  readonly #databases: Databases;
  readonly #mirrorPeople: MirrorPeople;
  readonly #sides: Sides;
  #move: Move;
  /** Pages that this run may still do while the workspace is open. */
  #pagesLeft: number;
  #unsaved = 0;

  constructor(databases: Databases, mirrorPeople: MirrorPeople, move: Move, pages: number) {
    this.#databases = databases;
    this.#mirrorPeople = mirrorPeople;
    this.#move = move;
    this.#pagesLeft = pages;
    this.#sides = { source: sideOf(databases, move.source), target: sideOf(databases, move.target) };
  }

  /** The move as it is stored. */
  get move(): Move {
    return this.#move;
  }

  /** Goes as far as this run may. Returns how many rows it has written. */
  async run(): Promise<number> {
    const before = this.#move.rowsWritten;
    while (await this.#step()) {
      // Each step stores what it has done.
    }
    return this.#move.rowsWritten - before;
  }

  /** True while there is something that this run may do. */
  #step(): Promise<boolean> {
    switch (this.#move.phase) {
      case "asked":
        return this.#announce();
      case "copying":
        return this.#copyOpen();
      case "comparing":
        return this.#copyClosed();
      case "opening":
        return this.#open();
      case "emptying":
        return this.#empty();
      case "undoing":
        return this.#undo();
      case "done":
      case "undone":
        return Promise.resolve(false);
    }
  }

  /** Stores a change of the move; throws where another run has stored one since. */
  async #save(
    changes: Partial<Omit<Move, "position">> & { readonly position: object | null },
  ): Promise<void> {
    const { revision } = this.#move;
    const next: Move = { ...this.#move, failures: 0, ...changes };
    const position = next.position === null ? null : JSON.stringify(next.position);
    const saved = await saveMove.run(this.#databases.directory, { ...next, position, revision });
    if (saved === 0) throw new MoveError("another run works on this move");
    this.#move = { ...next, revision: revision + 1 };
    this.#unsaved = 0;
  }

  /** The workspace's row on the target, as a forwarder to the source, and the announcement on the source. */
  async #announce(): Promise<boolean> {
    const { workspaceId, source: home, target: movingTo } = this.#move;
    const { source, target } = this.#sides;
    const shared = await sharedRow.first(source, { workspaceId });
    if (shared === null) throw new MoveError("the source has no such workspace");
    await target.batch([
      beginRow.bind(target, { workspaceId }),
      insertForwarder.bind(target, { workspaceId, row: shared.row, source: home }),
      endCopying.bind(target, {}),
    ]);
    const since = clock.now();
    await this.#admit(since);
    if ((await announceMove.run(source, { workspaceId, target: movingTo })) === 0) {
      throw new MoveError("the workspace does not live at the source");
    }
    await this.#save({ phase: "copying", position: beginPass(since, 1) });
    return true;
  }

  /** From now on only this attempt at the copy writes to the target. */
  async #admit(since: number): Promise<void> {
    const { workspaceId, source, target } = this.#move;
    const admitted = await admitCopy.run(this.#sides.target, { workspaceId, source, target, since });
    if (admitted === 0) throw new MoveError("the workspace lives at the target");
  }

  #copyOf(since: number): Copy {
    const { workspaceId, source: home } = this.#move;
    return { workspaceId, ...this.#sides, home, since };
  }

  /** One page of a pass. */
  async #page(position: CopyPosition, isWhole: boolean): Promise<{ at: PassPosition; isEnd: boolean }> {
    const {
      position: at,
      isEnd,
      rowsWritten,
    } = await doPage(this.#copyOf(position.since), position.at, isWhole);
    this.#move = { ...this.#move, rowsWritten: this.#move.rowsWritten + rowsWritten };
    this.#unsaved += 1;
    const next = { ...position, at };
    // What follows the end of a pass is stored with it.
    if (!isEnd && this.#unsaved >= PAGES_PER_SAVE) await this.#save({ position: next });
    else this.#move = { ...this.#move, position: next };
    return { at, isEnd };
  }

  /** Copies while the workspace is open. */
  async #copyOpen(): Promise<boolean> {
    const position = readCopyPosition(this.#move.position);
    if (position === null) throw new MoveError("a copy without a position");
    if (position.pass > OPEN_PASSES_MAX) return this.#close(position);
    if (this.#pagesLeft === 0) {
      await this.#save({ position });
      return false;
    }
    this.#pagesLeft -= 1;
    const { at, isEnd } = await this.#page(position, false);
    if (!isEnd) return true;
    const pass = at.changed < FEW_ROOTS ? OPEN_PASSES_MAX + 1 : position.pass + 1;
    await this.#save({ position: beginPass(position.since, pass) });
    return true;
  }

  /** Refuses writes, once no isolate remembers a key and no work is under way. */
  async #close({ since }: CopyPosition): Promise<boolean> {
    const { workspaceId } = this.#move;
    const nowMs = clock.now();
    const announcedMs = nowMs - since;
    if (announcedMs < ANNOUNCED_MS_MIN) return false;
    const work = await workUnderWay.first(this.#sides.source, { workspaceId, nowMs });
    if (work !== null && work.count > 0 && announcedMs < DRAIN_MS_MAX) return false;
    // Stored first: whoever goes on after a crash refuses writes as of the same time.
    const frozenAt = nowMs;
    await this.#save({
      phase: "comparing",
      frozenAt,
      position: beginPass(frozenAt, 1),
    });
    return true;
  }

  /** Copies what is left, until a whole pass finds nothing to change. */
  async #copyClosed(): Promise<boolean> {
    const { workspaceId, target: movingTo } = this.#move;
    const position = readCopyPosition(this.#move.position);
    if (position === null) throw new MoveError("a copy without a position");
    const { since, pass } = position;
    if (pass > CLOSED_PASSES_MAX) return this.#giveUp();
    const { source, target } = this.#sides;
    if (isFirst(position.at)) {
      if ((await refuseWrites.run(source, { workspaceId, target: movingTo, since })) === 0) {
        throw new MoveError("the workspace does not live at the source");
      }
      await this.#admit(since);
      const shared = await sharedRow.first(source, { workspaceId });
      if (shared === null) throw new MoveError("the source has no such workspace");
      await target.batch([
        beginCopying.bind(target, this.#copyOf(since)),
        updateSharedRow.bind(target, { workspaceId, row: shared.row }),
        endCopying.bind(target, {}),
      ]);
    }
    const { at, isEnd } = await this.#page(position, true);
    if (!isEnd) return true;
    if (at.changed > 0) {
      await this.#save({ position: beginPass(since, pass + 1) });
      return true;
    }
    const [one, other] = await Promise.all([
      ledgerSum.first(source, { workspaceId }),
      ledgerSum.first(target, { workspaceId }),
    ]);
    if (JSON.stringify(one) !== JSON.stringify(other)) return this.#giveUp();
    await this.#save({ phase: "opening", position: null });
    return true;
  }

  /** Opens the target. Until the source is a forwarder both are read, and neither is written to. */
  async #open(): Promise<boolean> {
    const { workspaceId, source: home, target: movingTo, frozenAt } = this.#move;
    if (frozenAt === null) throw new MoveError("a workspace that was never closed");
    const { source, target } = this.#sides;
    const { directory } = this.#databases;
    await settle.run(target, { workspaceId, home, since: frozenAt });
    await forward.run(source, { workspaceId, target: movingTo, since: frozenAt });
    for (const { home: name, db } of everyDatabase(this.#databases)) {
      if (name !== home && name !== movingTo) await redirect.run(db, { workspaceId, target: movingTo });
    }
    if (movingTo !== DIRECTORY) {
      await mirrorAnew.run(directory, { workspaceId });
      await this.#tellPeople();
    }
    const place = await placeOf.first(target, { workspaceId });
    if (place === null || place.home !== null)
      throw new MoveError("the workspace does not live at the target");
    if (place.movingSince !== null) {
      const since = frozenAt;
      await target.batch([
        beginAtHome.bind(target, { workspaceId, since }),
        ...resendOpenWork.map((resend) => resend.bind(target, { workspaceId })),
        endMoving.bind(target, { workspaceId, since }),
        endCopying.bind(target, {}),
      ]);
    }
    await this.#save({ phase: "emptying", openedAt: clock.now(), position: null });
    return true;
  }

  /** The target has the people before it takes writes, unless something fails: the sweep does it then. */
  async #tellPeople(): Promise<void> {
    const { workspaceId } = this.#move;
    try {
      await this.#mirrorPeople(workspaceId);
    } catch (thrown) {
      log.failure({ event: "people_not_mirrored", workspaceId, errorName: errorNameOf(thrown) });
    }
  }

  /** Deletes what was left behind, once nobody reads it any more. */
  async #empty(): Promise<boolean> {
    const { workspaceId, source: from, target: home, frozenAt, openedAt } = this.#move;
    if (frozenAt === null || openedAt === null) throw new MoveError("a workspace that was never opened");
    if (clock.now() - openedAt < LEFT_MS_MIN) return false;
    const { source: db } = this.#sides;
    const since = frozenAt;
    const isDone = await this.#emptyPage({ workspaceId, db, home, since }, from !== DIRECTORY);
    if (isDone) await this.#save({ phase: "done", position: null, finishedAt: clock.now() });
    return !isDone && this.#pagesLeft > 0;
  }

  async #giveUp(): Promise<boolean> {
    await this.giveUp();
    return true;
  }

  /** Gives the copy up, which leaves the workspace where it is. Only before the target is opened. */
  async giveUp(): Promise<void> {
    if (!["asked", "copying", "comparing"].includes(this.#move.phase)) {
      throw new MoveError("the target is open: the move can only go on");
    }
    await this.#save({ phase: "undoing", position: null });
  }

  /** Opens the source again, and deletes the copy. */
  async #undo(): Promise<boolean> {
    const { workspaceId, source: home, target: movingTo } = this.#move;
    const { source, target } = this.#sides;
    const place = await placeOf.first(source, { workspaceId });
    if (place === null || place.home !== null)
      throw new MoveError("the workspace does not live at the source");
    if (place.movingSince !== null) {
      const since = place.movingSince;
      await source.batch([
        beginAtHome.bind(source, { workspaceId, since }),
        ...resendOpenWork.map((resend) => resend.bind(source, { workspaceId })),
        endMoving.bind(source, { workspaceId, since }),
        endCopying.bind(source, {}),
      ]);
    } else if (place.movingTo !== null) {
      await endMoving.run(source, { workspaceId, since: 0 });
    }
    const copied = await placeOf.first(target, { workspaceId });
    const since = copied?.movingSince ?? null;
    const isDone =
      since === null ||
      (await this.#emptyPage({ workspaceId, db: target, home, since }, movingTo !== DIRECTORY));
    if (isDone) await this.#save({ phase: "undone", position: null, finishedAt: clock.now() });
    return !isDone && this.#pagesLeft > 0;
  }

  /** Deletes a page of rows that are not the workspace's any more; true once all are gone. */
  async #emptyPage(
    place: { workspaceId: string; db: D1Database; home: string; since: number },
    hasMirroredPeople: boolean,
  ): Promise<boolean> {
    const { workspaceId, db, home, since } = place;
    // All was done by a run that could not store it.
    if ((await placeOf.first(db, { workspaceId }))?.movingSince !== since) return true;
    this.#pagesLeft -= 1;
    if (await deletePage(place)) return false;
    await db.batch([
      beginCopying.bind(db, { workspaceId, home, since }),
      clearCredits.bind(db, { workspaceId }),
      ...(hasMirroredPeople ? [deleteMirroredMembers.bind(db, { workspaceId })] : []),
      endMoving.bind(db, { workspaceId, since }),
      endCopying.bind(db, {}),
    ]);
    return true;
  }
}

/** True at the beginning of a pass. */
const isFirst = ({ part, groups }: PassPosition): boolean => part === "delete" && groups === null;
