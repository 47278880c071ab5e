import { queryOptions } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import type { Operations } from "#api/generated/account-operations.ts";
import { useMoney } from "#billing/money.ts";
import { useContractName } from "#editor/sizes/contract-queries.ts";
import { Mark } from "#ui/page.tsx";

/** The statement of a month, as the API returns it. */
type Statement = Operations["getWorkspaceStatement"]["data"];

/** Statement of a month. `month`: in UTC, such as `2026-11`. */
export const statementQuery = (workspaceId: string, month: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "ledger", "statement", month],
    queryFn: ({ signal }) =>
      callAccount("getWorkspaceStatement", { path: { workspaceId }, query: { month }, signal }),
  });

/** Formats a month, given as `2026-11`, in the user's language. */
export function useMonthName(): (month: string) => string {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(i18n.language, { month: "long", year: "numeric", timeZone: "UTC" });
  return (month) => format.format(new Date(`${month}-01T00:00:00Z`));
}

/** The printed sheet: workspace and month, credits, orders and payments. */
export function StatementSheet({ statement }: { readonly statement: Statement }) {
  const { t, i18n } = useTranslation("statement");
  const { t: common } = useTranslation();
  const monthName = useMonthName();
  const { workspaceId, workspaceName, month, isOver } = statement;
  const now = new Intl.DateTimeFormat(i18n.language, { dateStyle: "long", timeStyle: "short" });
  return (
    <article className="flex flex-col gap-8 rounded-lg border border-line bg-card p-6 sm:p-10 print:border-0 print:p-0">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div className="flex flex-col gap-1">
          <h1 className="text-2xl font-semibold tracking-tight">{t("title", { month: monthName(month) })}</h1>
          <p className="text-base">{workspaceName}</p>
          <p className="text-xs text-quiet">
            {t("workspace")} <span className="font-mono break-all">{workspaceId}</span>
          </p>
          {!isOver && <p className="text-sm">{t("notOver", { now: now.format(new Date()) })}</p>}
        </div>
        <p className="flex items-center gap-2 font-semibold tracking-tight">
          <Mark />
          {common("name")}
        </p>
      </header>
      <MonthCredits credits={statement.credits} isOver={isOver} />
      <MonthOrders statement={statement} />
      <MonthPayments statement={statement} />
      <footer className="text-xs text-quiet">{t("footer")}</footer>
    </article>
  );
}

const CHANGES = ["purchases", "grants", "consumption", "refunds", "adjustments", "expiries"] as const;

interface MonthCreditsProps {
  readonly credits: Statement["credits"];
  readonly isOver: boolean;
}

/** Credits from the opening to the closing balance of the month. */
function MonthCredits({ credits, isOver }: MonthCreditsProps) {
  const { t, i18n } = useTranslation("statement");
  const balances = new Intl.NumberFormat(i18n.language);
  const changes = new Intl.NumberFormat(i18n.language, { signDisplay: "exceptZero" });
  return (
    <SheetTable title={t("credits.title")} heads={[t("credits.what"), t("credits.amount")]}>
      <tr>
        <td>{t("credits.opening")}</td>
        <td>{balances.format(credits.opening)}</td>
      </tr>
      {CHANGES.filter((change) => credits[change] !== 0).map((change) => (
        <tr key={change}>
          <td>{t(`credits.${change}`)}</td>
          <td>{changes.format(credits[change])}</td>
        </tr>
      ))}
      <tr className="font-semibold">
        <td>{isOver ? t("credits.closing") : t("credits.now")}</td>
        <td>{balances.format(credits.closing)}</td>
      </tr>
    </SheetTable>
  );
}

type Orders = Statement["orders"];

const SOURCES = ["credits", "subscription", "unlimited"] as const;

/** Orders by source of payment and by contract. */
function MonthOrders({ statement }: { readonly statement: Statement }) {
  const { t } = useTranslation("statement");
  const contractName = useContractName();
  const { orders, ordersBySource, contracts } = statement;
  const heads = [t("orders.packs"), t("orders.consumed"), t("orders.refunded"), t("orders.spent")];
  const sources = SOURCES.filter((source) => hasAny(ordersBySource[source]));
  if (!hasAny(orders)) {
    return (
      <section className="flex flex-col gap-1">
        <h2 className="text-base font-semibold">{t("orders.title")}</h2>
        <p className="text-sm">{t("orders.none")}</p>
      </section>
    );
  }
  return (
    <>
      <SheetTable title={t("orders.title")} heads={[t("orders.source"), ...heads]}>
        {sources.map((source) => (
          <OrdersRow key={source} name={t(`orders.by.${source}`)} orders={ordersBySource[source]} />
        ))}
        {sources.length > 1 && <OrdersRow name={t("orders.all")} orders={orders} isTotal />}
      </SheetTable>
      <SheetTable title={t("orders.contracts")} heads={[t("orders.contract"), ...heads]}>
        {contracts.map(({ contractId, ...sums }) => (
          <OrdersRow key={contractId} name={contractName(contractId)} orders={sums} />
        ))}
      </SheetTable>
    </>
  );
}

const hasAny = ({ jobs, consumed, refunded }: Orders): boolean => jobs > 0 || consumed > 0 || refunded > 0;

interface OrdersRowProps {
  readonly name: string;
  readonly orders: Orders;
  readonly isTotal?: boolean;
}

function OrdersRow({ name, orders: { jobs, consumed, refunded, spent }, isTotal = false }: OrdersRowProps) {
  const { i18n } = useTranslation();
  const numbers = new Intl.NumberFormat(i18n.language);
  return (
    <tr className={isTotal ? "font-semibold" : ""}>
      <td>{name}</td>
      <td>{numbers.format(jobs)}</td>
      <td>{numbers.format(consumed)}</td>
      <td>{numbers.format(refunded)}</td>
      <td>{numbers.format(spent)}</td>
    </tr>
  );
}

/** Payments, with refunds. */
function MonthPayments({ statement }: { readonly statement: Statement }) {
  const { t, i18n } = useTranslation("statement");
  const { money, number } = useMoney();
  const { payments, paymentTotals } = statement;
  if (payments.length === 0) return null;
  const days = new Intl.DateTimeFormat(i18n.language, { dateStyle: "medium", timeZone: "UTC" });
  const count = paymentTotals.reduce((sum, total) => sum + total.payments, 0);
  const isCut = count > payments.length;
  return (
    <SheetTable
      title={t("payments.title")}
      heads={[t("payments.what"), t("payments.date"), t("payments.sum"), t("payments.refunded")]}
      note={
        isCut ? t("payments.cut", { shown: number(payments.length), count, all: number(count) }) : undefined
      }
    >
      {payments.map(({ paymentId, kind, currency, amount, amountRefunded, credits, paidAt }) => (
        <tr key={paymentId}>
          <td>{t(`payments.kind.${kind}`, { count: credits, credits: number(credits) })}</td>
          <td>{days.format(new Date(paidAt))}</td>
          <td>{money(currency, amount)}</td>
          <td>{amountRefunded === 0 ? "–" : money(currency, amountRefunded)}</td>
        </tr>
      ))}
      {paymentTotals.map(({ currency, amount, amountRefunded }) => (
        <tr key={currency} className="font-semibold">
          <td>{t("payments.total")}</td>
          <td />
          <td>{money(currency, amount)}</td>
          <td>{amountRefunded === 0 ? "–" : money(currency, amountRefunded)}</td>
        </tr>
      ))}
    </SheetTable>
  );
}

interface SheetTableProps {
  readonly title: string;
  /** Column headings: the first column has names, the others have numbers. */
  readonly heads: readonly string[];
  /** Rows of `<tr>`. */
  readonly children: ReactNode;
  /** Note under the rows. */
  readonly note?: string | undefined;
}

/** A table of the sheet, with lines between rows but no boxes. */
function SheetTable({ title, heads, children, note }: SheetTableProps) {
  return (
    <section
      aria-label={title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
      tabIndex={0}
      className="overflow-x-auto print:overflow-visible"
    >
      <table className="w-full text-sm tabular-nums [&_td]:border-t [&_td]:border-line [&_td]:py-1.5 [&_td:not(:first-child)]:pl-4 [&_td:not(:first-child)]:text-right [&_th]:py-1.5 [&_th:not(:first-child)]:pl-4 [&_th:not(:first-child)]:text-right [&_tr]:break-inside-avoid">
        <caption className="pb-1 text-left text-base font-semibold">{title}</caption>
        <thead className="text-xs text-quiet">
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className="text-left font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      {note !== undefined && <p className="mt-2 text-xs text-quiet">{note}</p>}
    </section>
  );
}
