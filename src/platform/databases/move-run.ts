import type { Copy } from "./copy-statements.ts";
import { type Databases, databaseOf } from "./databases.ts";
import { admitCopy, type Move, saveMove } from "./move-store.ts";
import { DIRECTORY, isShardName } from "./shard-name.ts";
import { budgetedDatabases, type StatementBudget } from "./statement-budget.ts";

/** A sweep's run over one move: the move's stored state, and changes to it. */

/** The stored move contradicts the databases, or another run works on it. Ends this run; the next run continues. */
export class MoveError extends Error {
  override readonly name = "MoveError";
}

/** Copies the accounts of a workspace to the shard that the directory names. */
export type MirrorPeople = (workspaceId: string, databases: Databases) => Promise<void>;

interface Sides {
  readonly source: D1Database;
  readonly target: D1Database;
}

/** The database with this name; throws if it is not bound. */
function sideOf(databases: Databases, name: string): D1Database {
  const db = name === DIRECTORY || isShardName(name) ? databaseOf(databases, name) : null;
  if (db === null) throw new MoveError(`the database ${name} is not bound`);
  return db;
}

/** Changes to a move that a phase saves. */
type Changes = Partial<Omit<Move, "position">> & { readonly position: object | null };

export class MoveRun {
  readonly databases: Databases;
  readonly mirrorPeople: MirrorPeople;
  readonly sides: Sides;
  #move: Move;
  readonly #budget: StatementBudget;
  #unsaved = 0;
  #fencingToken: number | null = null;

  constructor(databases: Databases, mirrorPeople: MirrorPeople, move: Move, budget: StatementBudget) {
    this.databases = budgetedDatabases(databases, budget);
    this.mirrorPeople = mirrorPeople;
    this.sides = { source: sideOf(this.databases, move.source), target: sideOf(this.databases, move.target) };
    this.#move = move;
    this.#budget = budget;
  }

  /** The move as stored, plus the progress that `advance` has not saved yet. */
  get move(): Move {
    return this.#move;
  }

  /** Whether this run may start another page. */
  get mayContinue(): boolean {
    return this.#budget.left > 0;
  }

  /** Saves a change of the move; throws if another run has saved one since. */
  async save(changes: Changes): Promise<void> {
    const { revision } = this.#move;
    const next: Move = { ...this.#move, failures: 0, ...changes };
    const position = next.position === null ? null : JSON.stringify(next.position);
    const saved = await saveMove.run(this.databases.directory, { ...next, position, revision });
    if (saved === 0) throw new MoveError("another run works on this move");
    this.#move = { ...next, revision: revision + 1 };
    this.#unsaved = 0;
  }

  /** Adds a page's result to the move, and saves it every `pagesPerSave` pages. */
  async advance(position: object, rowsWritten: number, pagesPerSave: number): Promise<void> {
    this.#move = { ...this.#move, position, rowsWritten: this.#move.rowsWritten + rowsWritten };
    this.#unsaved += 1;
    if (this.#unsaved >= pagesPerSave) await this.save({ position });
  }

  /** Whether this run holds this fencing token of the target. */
  isAdmitted(since: number): boolean {
    return this.#fencingToken === since;
  }

  /**
   * Takes the fencing token `since`: from now on, only this run can write to the target. It reads source rows only
   * after that, so that a stale row never replaces a newer one.
   */
  async admit(since: number): Promise<void> {
    const { workspaceId, source, target } = this.#move;
    const admitted = await admitCopy.run(this.sides.target, { workspaceId, source, target, since });
    if (admitted === 0)
      throw new MoveError("the workspace lives at the target, or a later attempt is admitted there");
    this.#fencingToken = since;
  }

  /** Both sides, with the fencing token. */
  copyOf(since: number): Copy {
    const { workspaceId, source: home } = this.#move;
    return { workspaceId, ...this.sides, home, since };
  }
}
