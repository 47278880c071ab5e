import type { ApiPromise } from "../api-promise.ts";
import type { Operations } from "../generated/operations.ts";
import { List } from "../list.ts";
import type { RequestOptions } from "../options.ts";
import { Resource } from "../transport.ts";
import type { ApiKey, CreateApiKey, CreatedApiKey, Given, RevokedApiKey } from "../types.ts";

/** API keys of the workspace. */
export class ApiKeysResource extends Resource {
  /** Lists keys without their secrets, newest first, including revoked and expired keys. Scope: `api-keys:read`. */
  list(query: Operations["listApiKeys"]["query"] = {}, options: RequestOptions = {}): List<ApiKey> {
    return new List((before = query.before) =>
      this.transport.json({ operation: "listApiKeys", query: { ...query, before }, options }),
    );
  }

  /**
   * Creates a key. Only this response contains the secret, so the call is not retried after a lost response. Scope:
   * `api-keys:write`.
   */
  create(key: Given<CreateApiKey>, options: RequestOptions = {}): ApiPromise<CreatedApiKey> {
    return this.transport.json({ operation: "createApiKey", json: key, options });
  }

  /** Revokes a key immediately; with `cascade` also the keys that it created. Scope: `api-keys:write`. */
  revoke(
    apiKeyId: string,
    { cascade = false }: { readonly cascade?: boolean } = {},
    options: RequestOptions = {},
  ): ApiPromise<RevokedApiKey> {
    const query = cascade ? { cascade: "true" as const } : {};
    return this.transport.json({ operation: "revokeApiKey", path: { apiKeyId }, query, options });
  }
}
