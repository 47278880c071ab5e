import { z } from "zod";
import { inRoot } from "../../scripts/local/paths.ts";
import { type Service, startService } from "./service.ts";

/** The whole service without rendering. It counts the messages of its queues. */
export interface CountingService extends Service {
  readonly bucket: R2Bucket;
  readonly messages: () => Promise<Messages>;
  /** Runs the scheduled tasks once. */
  readonly sweep: () => Promise<void>;
}

interface Messages {
  /** Number of messages received by consumers, per queue. */
  readonly handed: Readonly<Record<string, number>>;
  /** Number of messages waiting in the render queue. */
  readonly backlog: number;
  /** Errors that the worker logged. */
  readonly failures: readonly string[];
}

const answer = z.record(z.string(), z.number());

/** Maximum number of errors kept. */
const FAILURES_MAX = 20;

export async function startCountingService(shards: number): Promise<CountingService> {
  const failures: string[] = [];
  const service = await startService({
    shards,
    hasStandIn: true,
    script: inRoot("bench/workers/counting.ts"),
    onLog: (line, level) => {
      if (level === "error" && failures.length < FAILURES_MAX) failures.push(line);
    },
  });
  const { origin } = service.worker;
  const { BUCKET: bucket, RENDER_QUEUE: queue } = await service.worker.bindings<{
    readonly BUCKET: R2Bucket;
    readonly RENDER_QUEUE: Queue;
  }>();
  return {
    ...service,
    bucket,
    messages: async () => ({
      handed: answer.parse(await (await fetch(`${origin}/bench/messages`)).json()),
      backlog: (await queue.metrics()).backlogCount,
      failures,
    }),
    sweep: async () => {
      const { status } = await fetch(`${origin}/bench/sweep`, { method: "POST" });
      if (status !== 204) throw new Error(`the sweep answered ${status}`);
    },
  };
}
