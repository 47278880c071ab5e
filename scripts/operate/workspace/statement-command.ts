import { readStatement } from "#domains/usage/month-statement.ts";
import { Failure } from "../../local/failure.ts";
import type { OperatorDatabase } from "./operator-database.ts";
import { plain } from "./plain-text.ts";
import { type Done, lines } from "./report.ts";

/** A customer's monthly statement, for an operator who answers questions about it. */

interface StatementChoice {
  readonly workspaceId: string;
  /** Such as `2026-11`; null for the current month. */
  readonly month: string | null;
}

/** The statement as in the API. Only reads the database. */
export async function statement({ db, nowMs }: OperatorDatabase, { workspaceId, month }: StatementChoice) {
  const read = await readStatement(db, workspaceId, month ?? undefined, nowMs);
  if (read === null) throw new Failure(`There is no workspace ${workspaceId}.`);
  if (!read.ok) throw new Failure(read.message);
  return read.value;
}

type Statement = Done<typeof statement>;

/** An amount in the currency's smallest unit, because only the provider knows which currencies have no hundredths. */
const money = (amount: number, currency: string): string =>
  `${amount} ${currency.toUpperCase()} (smallest unit)`;

const amounts = (rows: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(rows).map(([name, amount]) => `  ${name.padEnd(12)} ${String(amount).padStart(10)}`);

const orders = (rows: readonly (readonly [string, Statement["orders"]])[]): readonly string[] =>
  rows.map(
    ([name, { jobs, consumed, refunded, spent }]) =>
      `  ${plain(name).padEnd(24)} ${jobs} jobs, ${consumed} consumed, ${refunded} given back, ${spent} spent`,
  );

const takenBack = (row: { readonly amountRefunded: number; readonly amountDisputed: number }): string =>
  row.amountRefunded + row.amountDisputed === 0
    ? ""
    : `, refunded ${row.amountRefunded}, disputed ${row.amountDisputed}`;

export function reportStatement(found: Statement): string {
  const payments = found.payments.map(
    (payment) =>
      `  ${payment.paidAt}  ${payment.kind}  ${money(payment.amount, payment.currency)}${takenBack(payment)}  ` +
      `${payment.credits} credits  ${plain(payment.paymentId)}`,
  );
  const totals = found.paymentTotals.map(
    (total) => `  ${total.payments} in all: ${money(total.amount, total.currency)}${takenBack(total)}`,
  );
  return [
    lines(
      ["Workspace", found.workspaceId],
      ["Name", found.workspaceName],
      ["Month", found.isOver ? found.month : `${found.month}, until now`],
    ),
    ...["", "Credits", ...amounts(found.credits)],
    ...["", "Orders", ...orders([["all", found.orders], ...Object.entries(found.ordersBySource)])],
    ...orders(found.contracts.map(({ contractId, ...contract }) => [contractId, contract])),
    ...["", "Payments", ...(totals.length > 0 ? [...payments, ...totals] : ["  none"])],
  ].join("\n");
}
