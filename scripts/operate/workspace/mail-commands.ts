import { allowAddress } from "#domains/mail/suppression-store.ts";
import { toTimestamp } from "#platform/clock.ts";
import { Failure } from "../../local/failure.ts";
import type { OperatorDatabase } from "./operator-database.ts";
import { type Done, lines } from "./report.ts";

/** Operator's commands on email. */

/** Allows email to an address that bounced or complained. */
export async function allowMail({ db }: OperatorDatabase, { email }: { readonly email: string }) {
  const address = email.toLowerCase();
  const suppression = await allowAddress.first(db, { address });
  if (suppression === null) throw new Failure(`${email} is not suppressed: it is sent mail.`);
  return { email: address, reason: suppression.reason, suppressedAt: toTimestamp(suppression.createdAtMs) };
}

export const reportMailAllowed = ({ email, reason, suppressedAt }: Done<typeof allowMail>): string =>
  `${lines(["Address", email], ["Was", reason], ["Since", suppressedAt])}\n\nIt is sent mail again. Mails that were suppressed are not sent again.`;
