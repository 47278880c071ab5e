import type { Scope } from "../api/scopes.ts";

/** Whoever an API key speaks for. */
export interface Principal {
  readonly apiKeyId: string;
  readonly workspaceId: string;
  readonly workspaceKind: "standard" | "trial";
  readonly scopes: readonly Scope[];
  /** When the key ends, if it does: what it makes ends with it. */
  readonly expiresAt: number | null;
}
