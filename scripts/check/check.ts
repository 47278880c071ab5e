export interface Verdict {
  readonly isGood: boolean;
  /** A figure to show if the check passed (may be empty); otherwise the problem and its fix. */
  readonly detail: string;
}

export interface Check {
  readonly name: string;
  readonly run: () => Promise<Verdict>;
}

export const good = (detail = ""): Verdict => ({ isGood: true, detail });
export const bad = (detail: string): Verdict => ({ isGood: false, detail });
