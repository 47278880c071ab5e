/** One thing that was looked at, and what to do where it is not as a deployment needs it. */
export interface Finding {
  readonly subject: string;
  /** `missing` stops a deployment. `later` does not: it can only be done afterwards, or part of the service is off. */
  readonly state: "good" | "later" | "missing";
  /** What is there, or what to do. */
  readonly detail: string;
}
