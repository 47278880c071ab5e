import type { ApiPromise } from "../api-promise.ts";
import type { Operations } from "../generated/operations.ts";
import { List } from "../list.ts";
import type { RequestOptions } from "../options.ts";
import { Resource } from "../transport.ts";
import type { ApiKey, CreateApiKey, CreatedApiKey, Given, RevokedApiKey } from "../types.ts";

/** The workspace's API keys. */
export class ApiKeysResource extends Resource {
  /** Keys without their secrets, newest first, ended ones too. Scope: `api-keys:read`. */
  list(query: Operations["listApiKeys"]["query"] = {}, options: RequestOptions = {}): List<ApiKey> {
    return new List((before = query.before) =>
      this.transport.json({ operation: "listApiKeys", query: { ...query, before }, options }),
    );
  }

  /**
   * A new key. The answer holds its secret, which is shown this once; so the call is not sent again when its answer is
   * lost. Scope: `api-keys:write`.
   */
  create(key: Given<CreateApiKey>, options: RequestOptions = {}): ApiPromise<CreatedApiKey> {
    return this.transport.json({ operation: "createApiKey", json: key, options });
  }

  /** Ends a key at once; with `cascade` the keys that it made, too. Scope: `api-keys:write`. */
  revoke(
    apiKeyId: string,
    { cascade = false }: { readonly cascade?: boolean } = {},
    options: RequestOptions = {},
  ): ApiPromise<RevokedApiKey> {
    const query = cascade ? { cascade: "true" as const } : {};
    return this.transport.json({ operation: "revokeApiKey", path: { apiKeyId }, query, options });
  }
}
