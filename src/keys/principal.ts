import type { Scope } from "../contract/scopes.ts";

/** Whoever an API key speaks for. */
export interface Principal {
  readonly apiKeyId: string;
  readonly workspaceId: string;
  readonly workspaceKind: "standard" | "trial";
  readonly scopes: readonly Scope[];
}
