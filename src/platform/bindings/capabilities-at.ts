import { databaseOf } from "../databases/databases.ts";
import { DIRECTORY, type Home, type ShardName } from "../databases/shard-name.ts";
import type { Capabilities } from "./capabilities.ts";

/**
 * The capabilities for work on one database: `database.db` is that database, and messages and links name it. `accounts`
 * stays in `DB`. Null if the database is not bound. `capabilities` are the origin's, from `readCapabilities`.
 */
export function capabilitiesAt(capabilities: Capabilities, home: Home): Capabilities | null {
  const { database } = capabilities;
  if (database === null) return null;
  if (home === database.home) return capabilities;
  const db = databaseOf(database.databases, home);
  if (db === null || home === DIRECTORY) return null;
  const { queue, videos, deliveries, imports, mail, downloadSigning } = capabilities;
  return {
    ...capabilities,
    database: { ...database, db, home },
    downloadSigning: downloadSigning && { ...downloadSigning, home },
    queue: queue && queueOfShard(queue, home),
    videos: videos && queueOfShard(videos, home),
    deliveries: deliveries && { ...deliveries, queue: queueOfShard(deliveries.queue, home) },
    imports: imports && { ...imports, queue: queueOfShard(imports.queue, home) },
    mail: mail && { ...mail, queue: queueOfShard(mail.queue, home) },
  };
}

/** Field of a queue message that names its shard. Absent for workspaces in `DB`, and in older messages. */
interface Sharded {
  readonly shard: ShardName;
}

function withShard(body: unknown, shard: ShardName): object & Sharded {
  if (typeof body !== "object" || body === null) throw new Error("a message must be an object");
  return { ...body, shard };
}

/** A queue that adds the shard to each message. */
const queueOfShard = (queue: Queue, shard: ShardName): Queue => ({
  metrics: () => queue.metrics(),
  send: (body, options) => queue.send(withShard(body, shard), options),
  sendBatch: (messages, options) =>
    queue.sendBatch(
      [...messages].map(({ body, ...message }) => ({ ...message, body: withShard(body, shard) })),
      options,
    ),
});
