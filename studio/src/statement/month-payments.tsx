import { useTranslation } from "react-i18next";
import { useMoney } from "#billing/money.ts";
import { SheetTable } from "./sheet-table.tsx";
import type { Statement } from "./statement-query.ts";

/** What was paid, payment by payment, and what of it was given back. */
export function MonthPayments({ statement }: { readonly statement: Statement }) {
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
