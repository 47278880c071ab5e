/**
 * How a call on a binding goes wrong.
 * `fault-before`: it fails and nothing happened. `fault-after`: it happened and is reported failed, as an ambiguous
 * write is. The `kill` kinds do the same and then let nothing more through, as a process that died does.
 */
export const CRASH_KINDS = ["fault-before", "fault-after", "kill-before", "kill-after"] as const;
export type CrashKind = (typeof CRASH_KINDS)[number];

/** The call, counted from 0, at which something goes wrong, and how. */
export interface Crash {
  readonly step: number;
  readonly kind: CrashKind;
}

/** A call that waits before its effect until it is let go, as one on a slow line does. */
export class Pause {
  readonly step: number;
  /** Settles when the call has come. */
  readonly reached: Promise<void>;
  #arrive: () => void = () => undefined;
  readonly #released: Promise<void>;
  /** Lets the call go on. */
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

  /** Tells that the call has come, and waits. */
  async wait(): Promise<void> {
    this.#arrive();
    await this.#released;
  }
}

/** What a crashed call throws; it stands for any infrastructure error. */
export class InjectedFault extends Error {
  override readonly name = "InjectedFault";
}

/** A call that wrote rows, each statement of it with how many, index entries included. */
export type WrittenRows = readonly { readonly sql: string; readonly rows: number }[];

/** Counts the calls on all bindings of one environment and makes one of them go wrong, or wait. */
export class Gate {
  /** The calls so far, by binding and method. */
  readonly calls: string[] = [];
  /** Queries of databases so far; each statement of a batch is one, as the platform may count them. */
  statements = 0;
  /** What was written to the database, a call after another. */
  readonly written: WrittenRows[] = [];
  readonly #crash: Crash | Pause | null;
  #isDead = false;

  /** Whether the process was killed. */
  get isDead(): boolean {
    return this.#isDead;
  }

  constructor(crash: Crash | Pause | null = null) {
    this.#crash = crash;
  }

  /** Lets a call through, or not. */
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
