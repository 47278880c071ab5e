export interface Verdict {
  readonly isGood: boolean;
  /** A figure worth showing when good; what is wrong and what to do when not. */
  readonly detail: string;
}

export interface Check {
  readonly name: string;
  readonly run: () => Promise<Verdict>;
}

export const good = (detail = ""): Verdict => ({ isGood: true, detail });
export const bad = (detail: string): Verdict => ({ isGood: false, detail });
