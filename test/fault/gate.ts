/**
 * Kinds of crashes at a call to a binding. `fault-before`: the call fails without effect. `fault-after`: the call has
 * its effect and reports a failure, like an ambiguous write. The `kill` kinds also block all further calls, like a dead
 * process.
 */
export const CRASH_KINDS = ["fault-before", "fault-after", "kill-before", "kill-after"] as const;
export type CrashKind = (typeof CRASH_KINDS)[number];

/** A crash: the number of the call, counted from 0, and how it fails. */
export interface Crash {
  readonly step: number;
  readonly kind: CrashKind;
}

/** A call that waits before its effect until it is released, as on a slow connection. */
export class Pause {
  readonly step: number;
  /** Resolves when the call is reached. */
  readonly reached: Promise<void>;
  #arrive: () => void = () => undefined;
  readonly #released: Promise<void>;
  /** Continues the call. */
  release: () => void = () => undefined;

  constructor(step: number) {
    this.step = step;
    this.reached = new Promise((resolve) => {
      this.#arrive = resolve;
    });
    this.#released = new Promise((resolve) => {
      this.release = resolve;
    });
  }

  /** Resolves `reached`, and waits. */
  async wait(): Promise<void> {
    this.#arrive();
    await this.#released;
  }
}

/** Thrown by a crashed call; stands for any infrastructure error. */
export class InjectedFault extends Error {
  override readonly name = "InjectedFault";
}

/** Statements of one call that wrote rows, with the number of rows written, including index entries. */
export type WrittenRows = readonly { readonly sql: string; readonly rows: number }[];

/** Counts the calls to all bindings of one environment, and makes one of them fail or wait. */
export class Gate {
  /** The calls so far, by binding and method. */
  readonly calls: string[] = [];
  /** Database queries so far; each statement of a batch counts, as it may on the platform. */
  statements = 0;
  /** Writes to the database, by call. */
  readonly written: WrittenRows[] = [];
  readonly #crash: Crash | Pause | null;
  #isDead = false;

  get isDead(): boolean {
    return this.#isDead;
  }

  constructor(crash: Crash | Pause | null = null) {
    this.#crash = crash;
  }

  /** Runs a call, or crashes or delays it. */
  async pass<T>(name: string, call: () => Promise<T>): Promise<T> {
    if (this.#isDead) throw new InjectedFault(`${name} after the end`);
    const step = this.calls.push(name) - 1;
    const crash = this.#crash?.step === step ? this.#crash : null;
    if (crash instanceof Pause) await crash.wait();
    if (crash === null || crash instanceof Pause) return call();
    const { kind } = crash;
    this.#isDead = kind.startsWith("kill");
    if (kind.endsWith("after")) await call();
    throw new InjectedFault(`${name}, step ${step}, ${kind}`);
  }
}
