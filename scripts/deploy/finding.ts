/** Result of one check, and what to do about it. */
export interface Finding {
  readonly subject: string;
  /**
   * `missing` stops a deployment. `later` does not: it can only be fixed afterwards, or disables a part of the service.
   */
  readonly state: "good" | "later" | "missing";
  /** The existing resource, or what to do. */
  readonly detail: string;
}
