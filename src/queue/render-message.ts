import { z } from "zod";
import type { Motion } from "../contract/catalogue/types.ts";
import { LIMITS } from "../contract/limits.ts";

/** Asks for some outputs of a job to be drawn. Names only; everything else is read when it arrives. */
export const renderMessageSchema = z.strictObject({
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

/** Splits outputs into messages, so that a pack is drawn in parallel yet decodes each source once a message. */
export function messagesFor(jobId: string, motion: Motion, positions: readonly number[]): RenderMessage[] {
  const perMessage = motion === "static" ? LIMITS.staticOutputsPerMessage : LIMITS.animatedOutputsPerMessage;
  const messages: RenderMessage[] = [];
  for (let start = 0; start < positions.length; start += perMessage) {
    messages.push({ jobId, positions: positions.slice(start, start + perMessage) });
  }
  return messages;
}
