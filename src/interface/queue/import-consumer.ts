import {
  attemptImport,
  type ClaimedImport,
  type ImportServices,
  settleRejected,
} from "#domains/assets/imports/import-attempt.ts";
import { secondsToNextAttempt } from "#domains/assets/imports/import-failure.ts";
import { releaseAttempt, settleUnclaimedImport } from "#domains/assets/imports/import-lease.ts";
import { claimImport } from "#domains/assets/imports/import-store.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { log } from "#platform/log/log.ts";
import { importMessageSchema } from "./import-messages.ts";
import {
  consumeMessages,
  DONE,
  EXHAUSTED,
  type MessagePart,
  type MessageResult,
  retryAfter,
} from "./messages.ts";

const SERVICE_RETRY_MS = 30_000;

/** What imports and their dead letters have in common. */
const IMPORT_MESSAGES = {
  schema: importMessageSchema,
  idsOf: ({ assetId }: { readonly assetId: string }) => ({ assetId }),
  retryDelayMs: () => SERVICE_RETRY_MS,
};

/** Attempts the imports that the messages name. A message is sent again when the next attempt is due. */
export const consumeImports = (batch: MessagePart, services: ImportServices): Promise<void> =>
  consumeMessages(batch, {
    ...IMPORT_MESSAGES,
    events: {
      unreadable: "import_message_unreadable",
      failed: "import_unsettled",
      exhausted: "import_exhausted",
    },
    attempt: async ({ assetId }, { messageId, leaseId }) => {
      const { db } = services;
      const attempt = { assetId, messageId, nowMs: clock.now() };
      const claimed = await claimImport.first(db, { ...attempt, leaseId });
      if (claimed !== null) return attemptClaimed(services, { ...claimed, assetId, leaseId });
      const { kind } = await settleUnclaimedImport(db, attempt);
      return kind === "exhausted" ? EXHAUSTED : DONE;
    },
  });

/** Attempts an import that was claimed, and settles it. What is thrown leaves the lease to the message's next attempt. */
async function attemptClaimed(services: ImportServices, claimed: ClaimedImport): Promise<MessageResult> {
  const { db } = services;
  const { workspaceId, assetId, attempts } = claimed;
  const startedAtMs = clock.now();
  const result = await attemptImport(services, claimed);
  log.line({
    event: `import_${result.kind}`,
    ...{ workspaceId, assetId, attempt: attempts },
    durationMs: clock.now() - startedAtMs,
    ...(result.kind === "failed" ? { code: result.rejection.code } : {}),
  });
  if (result.kind === "ready") return DONE;
  if (result.kind === "lost") {
    await releaseAttempt(db, claimed, SERVICE_RETRY_MS, null);
    return DONE;
  }
  const seconds = secondsToNextAttempt(result, attempts);
  if (seconds !== null) {
    await releaseAttempt(db, claimed, seconds * 1_000, clock.now());
    return retryAfter(seconds * 1_000);
  }
  if (await settleRejected(db, claimed, result.rejection)) return result.isTemporary ? EXHAUSTED : DONE;
  await releaseAttempt(db, claimed, SERVICE_RETRY_MS, null);
  return DONE;
}

/** Settles the imports of dead letters: one with attempts left waits for another message. */
export const consumeDeadImports = (batch: MessagePart, db: D1Database): Promise<void> =>
  consumeMessages(batch, {
    ...IMPORT_MESSAGES,
    events: {
      unreadable: "dead_import_unreadable",
      failed: "dead_import_unsettled",
      exhausted: "dead_import_exhausted",
      pending: "dead_import_pending",
    },
    // A message of its own: an attempt of another one that is under way is left to that.
    attempt: ({ assetId }) => settleUnclaimedImport(db, { assetId, messageId: newId(), nowMs: clock.now() }),
  });
