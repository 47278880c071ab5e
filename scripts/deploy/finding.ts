/** Result of one check, with the remedy if it failed. */
export interface Finding {
  readonly subject: string;
  /**
   * `missing` stops a deployment. `later` does not: it can only be fixed afterwards, or disables a part of the service.
   */
  readonly state: "good" | "later" | "missing";
  /** The existing resource, or the remedy. */
  readonly detail: string;
}
