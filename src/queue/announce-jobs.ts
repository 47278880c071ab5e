import type { Job } from "../jobs/job.ts";
import { clock } from "../platform/clock.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { type Outputs, sendRenderMessages } from "./send-render-messages.ts";

/** Jobs of this isolate whose messages are to be sent. */
interface Outbox {
  waiting: Outputs[];
  /** Since when a request has been sending; null while none is. */
  sendingSinceMs: number | null;
}

/**
 * How long one request sends for others, which the platform lets it do for 30 s after its answer. One that is older has
 * died, or is about to hand over: the next request then sends itself.
 */
const SENDING_MS_MAX = 10_000;
/** A call's worth of small jobs, so that none waits behind many. */
const JOBS_PER_SEND_MAX = 100;

const outboxes = new WeakMap<Queue, Outbox>();

function outboxOf(queue: Queue): Outbox {
  const known = outboxes.get(queue);
  if (known !== undefined) return known;
  const made: Outbox = { waiting: [], sendingSinceMs: null };
  outboxes.set(queue, made);
  return made;
}

/**
 * Sends a new job's messages. While one request sends, those that come meanwhile leave theirs to it, and all of them
 * go out in its next call: one call and one write, where there were many of each. Never throws: what was not sent,
 * also because the sending request died, the sweep sends.
 */
export async function announceJob(queue: Queue, db: D1Database, job: Job): Promise<void> {
  const outbox = outboxOf(queue);
  const positions = job.selectedSizeIds.map((_, position) => position);
  outbox.waiting.push({ jobId: job.jobId, motion: job.motion, positions });
  const startMs = clock.now();
  const { sendingSinceMs } = outbox;
  const isSending = sendingSinceMs !== null && Math.abs(startMs - sendingSinceMs) < SENDING_MS_MAX;
  if (isSending) return;
  outbox.sendingSinceMs = startMs;
  while (outbox.waiting.length > 0 && outbox.sendingSinceMs === startMs) {
    if (clock.now() - startMs >= SENDING_MS_MAX) break;
    await send(queue, db, outbox.waiting.splice(0, JOBS_PER_SEND_MAX));
  }
  if (outbox.sendingSinceMs === startMs) outbox.sendingSinceMs = null;
}

async function send(queue: Queue, db: D1Database, jobs: readonly Outputs[]): Promise<void> {
  try {
    await sendRenderMessages(queue, db, jobs, clock.now());
  } catch (thrown) {
    for (const { jobId } of jobs) {
      log.failure({ event: "render_messages_unsent", jobId, errorName: errorNameOf(thrown) });
    }
  }
}
