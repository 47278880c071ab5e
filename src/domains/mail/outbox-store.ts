import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { MAIL_WINDOWS, type MailKind, type MailWindow } from "#api/mail-rules.ts";
import { mailMessages } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

/** SQL that inserts into the outbox. */

const listOf = (kinds: readonly MailKind[]): SQL =>
  sql`(${sql.join(
    kinds.map((kind) => sql`${kind}`),
    sql`, `,
  )})`;

/** True while the address is below a window's limit, or the window does not count this kind. */
const hasRoom = (
  given: { readonly kind: SQLWrapper; readonly address: SQLWrapper; readonly nowMs: SQLWrapper },
  { kinds, windowMs, mailsMax }: MailWindow,
): SQL =>
  sql`(${given.kind} not in ${listOf(kinds)}
    or (select count(*) from ${mailMessages} where ${mailMessages.address} = ${given.address}
      and ${mailMessages.createdAt} > ${given.nowMs} - ${windowMs} and ${mailMessages.kind} in ${listOf(kinds)}) < ${mailsMax})`;

const NEW = ["messageId", "reference", "kind", "address", "language", "facts", "sealed"] as const;

interface MailRow extends Readonly<Pick<typeof mailMessages.$inferSelect, (typeof NEW)[number]>> {
  readonly nowMs: number;
  readonly expiresAtMs: number;
}

const insertWhere = (given: Given<MailRow>, conditions: readonly SQL[]) =>
  query
    .insert(mailMessages)
    .selecting(
      {
        ...pick(given, ...NEW),
        status: "queued",
        nextAttemptAt: given.nowMs,
        createdAt: given.nowMs,
        expiresAt: given.expiresAtMs,
      },
      sql`where ${sql.join(
        [...conditions, ...MAIL_WINDOWS.map((window) => hasRoom(given, window))],
        sql` and `,
      )}`,
    )
    .onConflictDoNothing();

/** Inserts a mail, unless its reference exists or its address is at a limit. */
export const insertMail = statement((given: Given<MailRow>) => insertWhere(given, []));

/**
 * Like `insertMail`, but only if an earlier statement of the batch wrote the row that causes the mail; `condition`
 * finds that row by the value `cause`.
 */
export const insertMailWhere = (condition: (cause: SQLWrapper) => SQL) =>
  statement((given: Given<MailRow & { readonly cause: string }>) =>
    insertWhere(given, [condition(given.cause)]),
  );
