import type { ShardName } from "./shard-name.ts";

/** What a message carries beside its own members; absent of a workspace in `DB`, as in messages of earlier versions. */
interface Sharded {
  readonly shard: ShardName;
}

function withShard(body: unknown, shard: ShardName): object & Sharded {
  if (typeof body !== "object" || body === null) throw new Error("a message that is no object");
  return { ...body, shard };
}

/** The queue for work of one shard: it adds the shard to each message. */
export const queueOfShard = (queue: Queue, shard: ShardName): Queue => ({
  metrics: () => queue.metrics(),
  send: (body, options) => queue.send(withShard(body, shard), options),
  sendBatch: (messages, options) =>
    queue.sendBatch(
      [...messages].map(({ body, ...message }) => ({ ...message, body: withShard(body, shard) })),
      options,
    ),
});
