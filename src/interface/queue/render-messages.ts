import { z } from "zod";
import { LIMITS } from "#api/limits.ts";
import type { Motion } from "#catalogue/types.ts";
import { outputsPerPart } from "#domains/jobs/parts.ts";
import { sendMessages, sharedMembers } from "./messages.ts";

/** Asks for some outputs of a job to be rendered. Names only; everything else is read when it arrives. */
export const renderMessageSchema = z.strictObject({
  ...sharedMembers,
  jobId: z.uuid(),
  positions: z
    .array(
      z
        .int()
        .min(0)
        .max(LIMITS.sizesPerJobMax - 1),
    )
    .min(1)
    .max(LIMITS.sizesPerJobMax),
});
export type RenderMessage = z.infer<typeof renderMessageSchema>;

/** Splits outputs into messages, one for each part of the job. */
export function messagesFor({ jobId, motion, positions, requestId }: PendingOutputs): RenderMessage[] {
  const perMessage = outputsPerPart(motion);
  const messages: RenderMessage[] = [];
  for (let start = 0; start < positions.length; start += perMessage) {
    messages.push({
      jobId,
      positions: positions.slice(start, start + perMessage),
      ...(requestId !== undefined && { requestId }),
    });
  }
  return messages;
}

const RETRY_FIRST_MS = 5_000;
const RETRY_MAX_MS = 300_000;

/** The wait before the next attempt at a message: 5, 15, 45, 135, then 300 s. `attempts` counts from 1. */
export const renderRetryMs = (attempts: number): number =>
  Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 3 ** Math.max(0, attempts - 1));

/** Outputs of a job that are to be rendered. */
export interface PendingOutputs {
  readonly jobId: string;
  readonly motion: Motion;
  readonly positions: readonly number[];
  /** The request that created the job, as logs have it. */
  readonly requestId?: string;
}

/** Sends the messages for outputs of some jobs. Throws when the queue refuses; some may have been sent by then. */
export const sendRenderMessages = (queue: Queue, jobs: readonly PendingOutputs[]): Promise<void> =>
  sendMessages(
    queue,
    jobs.flatMap((job) => messagesFor(job)),
  );
