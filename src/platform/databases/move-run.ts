import type { Copy } from "./copy-statements.ts";
import { type Databases, databaseOf } from "./databases.ts";
import { admitCopy, type Move, saveMove } from "./move-store.ts";
import { DIRECTORY, isShardName } from "./shard-name.ts";
import { budgetedDatabases, type StatementBudget } from "./statement-budget.ts";

/** A run of the sweep over one move: what is stored of it, and how that is changed. */

/** A move that its databases contradict, or that is held up: the run ends, and the next one goes on. */
export class MoveError extends Error {
  override readonly name = "MoveError";
}

/** Brings the shard that the directory names up to the people of a workspace, by these databases. */
export type MirrorPeople = (workspaceId: string, databases: Databases) => Promise<void>;

interface Sides {
  readonly source: D1Database;
  readonly target: D1Database;
}

/** The name of a database as a move has stored it. */
function sideOf(databases: Databases, name: string): D1Database {
  const db = name === DIRECTORY || isShardName(name) ? databaseOf(databases, name) : null;
  if (db === null) throw new MoveError(`the database ${name} is not bound`);
  return db;
}

/** What a phase stores of its move. */
type Changes = Partial<Omit<Move, "position">> & { readonly position: object | null };

export class MoveRun {
  readonly databases: Databases;
  readonly mirrorPeople: MirrorPeople;
  readonly sides: Sides;
  #move: Move;
  readonly #budget: StatementBudget;
  #unsaved = 0;
  #ticket: number | null = null;

  constructor(databases: Databases, mirrorPeople: MirrorPeople, move: Move, budget: StatementBudget) {
    this.databases = budgetedDatabases(databases, budget);
    this.mirrorPeople = mirrorPeople;
    this.sides = { source: sideOf(this.databases, move.source), target: sideOf(this.databases, move.target) };
    this.#move = move;
    this.#budget = budget;
  }

  /** The move as it is stored, but for what `advance` has not stored yet. */
  get move(): Move {
    return this.#move;
  }

  /** Whether this run may begin another page. */
  get mayGoOn(): boolean {
    return this.#budget.left > 0;
  }

  /** Stores a change of the move; throws where another run has stored one since. */
  async save(changes: Changes): Promise<void> {
    const { revision } = this.#move;
    const next: Move = { ...this.#move, failures: 0, ...changes };
    const position = next.position === null ? null : JSON.stringify(next.position);
    const saved = await saveMove.run(this.databases.directory, { ...next, position, revision });
    if (saved === 0) throw new MoveError("another run works on this move");
    this.#move = { ...next, revision: revision + 1 };
    this.#unsaved = 0;
  }

  /** Notes what a page has done, and stores it after each so many pages. */
  async advance(position: object, rowsWritten: number, pagesPerSave: number): Promise<void> {
    this.#move = { ...this.#move, position, rowsWritten: this.#move.rowsWritten + rowsWritten };
    this.#unsaved += 1;
    if (this.#unsaved >= pagesPerSave) await this.save({ position });
  }

  /** Whether this run may write to the target under this name. */
  isAdmitted(since: number): boolean {
    return this.#ticket === since;
  }

  /**
   * From now on only this attempt at the copy writes to the target. Its rows are read after that, so none is ever replaced by
   * an older one: what a run that was held up has read before fails there.
   */
  async admit(since: number): Promise<void> {
    const { workspaceId, source, target } = this.#move;
    const admitted = await admitCopy.run(this.sides.target, { workspaceId, source, target, since });
    if (admitted === 0)
      throw new MoveError("the workspace lives at the target, or a later attempt is admitted there");
    this.#ticket = since;
  }

  /** The two sides, as an attempt at the copy sees them. */
  copyOf(since: number): Copy {
    const { workspaceId, source: home } = this.#move;
    return { workspaceId, ...this.sides, home, since };
  }
}
