import { settleGivenUp } from "../jobs/given-up.ts";
import { clock } from "../platform/clock.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { renderMessageSchema } from "./render-message.ts";

/** Seconds until a dead letter that could not be settled comes again. */
const RETRY_SECONDS = 60;

/**
 * Settles the jobs of messages that the queue gave up on: failed and refunded where outputs have had all their attempts,
 * left to the sweep where they have not, untouched where they are done or another message draws them.
 */
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
      const became = await settleGivenUp(db, jobId, positions, clock.now());
      if (became !== "settled") log.failure({ event: `dead_letter_${became}`, jobId });
      message.ack();
    } catch (thrown) {
      log.failure({ event: "dead_letter_unsettled", jobId, errorName: errorNameOf(thrown) });
      message.retry({ delaySeconds: RETRY_SECONDS });
    }
  }
}
