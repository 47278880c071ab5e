import { sha256Hex } from "#platform/crypto/hashing.ts";

/**
 * A request's claim on an Idempotency-Key, scoped to the workspace, or to an account for requests outside workspaces.
 */
export interface IdempotencyClaim {
  readonly workspaceId: string;
  /** The requesting API key; null for an account's session or an operator. */
  readonly apiKeyId: string | null;
  readonly idempotencyKey: string;
  /** Method and path with its ids, e.g. `POST /api/v1/jobs`. */
  readonly operation: string;
  /** SHA-256 over operation and canonical body, hex. */
  readonly requestHash: string;
  readonly nowMs: number;
  /** The resource id in the key's row, if an earlier request began this effect (`IdempotentEffect.isBegun`). */
  readonly begunAs?: string | undefined;
}

/** JSON with sorted keys, so that the same value always yields the same text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

export const hashRequest = (operation: string, body: unknown): Promise<string> =>
  sha256Hex(`${operation}\n${canonicalJson(body)}`);
