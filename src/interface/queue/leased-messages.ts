import { attemptWork, type LeasedWork, settleDeadLetter } from "#platform/leased-work/leased-work.ts";
import { consumeMessages, type MessagePart, messageNaming } from "./messages.ts";

/** Delay after an attempt that threw because one of our services failed. */
const SERVICE_RETRY_MS = 30_000;

type Described = Pick<LeasedWork<never, never, never>, "rows" | "logKey" | "endings">;

const messagesOf = ({ rows, logKey }: Described) => ({
  schema: messageNaming(rows.messageKey),
  idsOf: (id: string) => ({ [logKey]: id }),
  retryDelayMs: () => SERVICE_RETRY_MS,
});

/** Attempts the work that messages name. */
export const consumeWork =
  <
    Services extends { readonly db: D1Database },
    Claimed extends { readonly attempts: number },
    Result extends { readonly kind: string },
  >(
    work: LeasedWork<Services, Claimed, Result>,
  ) =>
  (batch: MessagePart, services: Services): Promise<void> =>
    consumeMessages(batch, {
      ...messagesOf(work),
      events: {
        unreadable: `${work.rows.name}_message_unreadable`,
        failed: `${work.rows.name}_unsettled`,
        exhausted: `${work.rows.name}_exhausted`,
      },
      attempt: (id, holder) => attemptWork(work, services, id, holder),
    });

/** Settles the work of dead letters. Work with attempts left waits for another message. */
export const consumeDeadLetters =
  (work: Described) =>
  (batch: MessagePart, db: D1Database): Promise<void> =>
    consumeMessages(batch, {
      ...messagesOf(work),
      events: {
        unreadable: `dead_${work.rows.name}_unreadable`,
        failed: `dead_${work.rows.name}_unsettled`,
        exhausted: `dead_${work.rows.name}_exhausted`,
        pending: `dead_${work.rows.name}_pending`,
      },
      attempt: (id) => settleDeadLetter(work, db, id),
    });
