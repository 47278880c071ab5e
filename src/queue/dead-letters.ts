import { hasUndrawnOutput } from "../jobs/claim-outputs.ts";
import { failJob, RENDERING_FAILED } from "../jobs/fail-job.ts";
import { clock } from "../platform/clock.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { renderMessageSchema } from "./render-message.ts";

/** Seconds until a dead letter that could not be settled comes again. */
const RETRY_SECONDS = 60;

/** Ends the jobs of messages that the queue gave up on: failed and refunded, unless their outputs are done. */
export async function consumeDeadLetters(batch: MessageBatch, db: D1Database): Promise<void> {
  for (const message of batch.messages) {
    const parsed = renderMessageSchema.safeParse(message.body);
    if (!parsed.success) {
      log.failure({ event: "dead_letter_unreadable" });
      message.ack();
      continue;
    }
    const { jobId, positions } = parsed.data;
    try {
      if (await hasUndrawnOutput(db, jobId, positions)) {
        await failJob(db, jobId, RENDERING_FAILED, clock.now());
        log.failure({ event: "dead_letter_failed_job", jobId });
      }
      message.ack();
    } catch (thrown) {
      log.failure({ event: "dead_letter_unsettled", jobId, errorName: errorNameOf(thrown) });
      message.retry({ delaySeconds: RETRY_SECONDS });
    }
  }
}
