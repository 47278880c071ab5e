import { oncePer } from "../concurrency/once-per-object.ts";
import type { ShardName } from "./shard-name.ts";

/** What a message carries beside its own members; absent of a workspace in `DB`, as in messages of earlier versions. */
interface Sharded {
  readonly shard: ShardName;
}

function withShard(body: unknown, shard: ShardName): object & Sharded {
  if (typeof body !== "object" || body === null) throw new Error("a message that is no object");
  return { ...body, shard };
}

const madeFor = oncePer((_: Queue) => new Map<ShardName, Queue>());

/** The queue for work of one shard: it adds the shard to each message. Equal arguments give the same object. */
export function queueOfShard(queue: Queue, shard: ShardName): Queue {
  const known = madeFor(queue).get(shard);
  if (known !== undefined) return known;
  const made: Queue = {
    metrics: () => queue.metrics(),
    send: (body, options) => queue.send(withShard(body, shard), options),
    sendBatch: (messages, options) =>
      queue.sendBatch(
        [...messages].map(({ body, ...message }) => ({ ...message, body: withShard(body, shard) })),
        options,
      ),
  };
  madeFor(queue).set(shard, made);
  return made;
}
