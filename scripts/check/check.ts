export interface Verdict {
  readonly isGood: boolean;
  /** Result of a check: a figure worth showing if good; the problem and its fix if not. */
  readonly detail: string;
}

export interface Check {
  readonly name: string;
  readonly run: () => Promise<Verdict>;
}

export const good = (detail = ""): Verdict => ({ isGood: true, detail });
export const bad = (detail: string): Verdict => ({ isGood: false, detail });
