import type { SigningKeys } from "../crypto/signed-token.ts";
import type { ShardName } from "./shard-name.ts";

/** What signs links, and the shard of the workspace that they are of, which they name; none of a workspace in `DB`. */
export interface LinkKeys extends SigningKeys {
  readonly home?: ShardName;
}
