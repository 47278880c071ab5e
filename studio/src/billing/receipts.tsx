import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import { Moment } from "#ui/moment.tsx";
import { EmptyState } from "#ui/page.tsx";
import { PagedTable } from "#ui/table.tsx";
import { type BillingOffer, type Payment, paymentsQuery } from "./billing-queries.ts";
import { useMoney } from "./money.ts";

const COLUMNS = ["date", "what", "sum", "refunded", "receipt"] as const;

/** All payments, newest first, with refunds. */
export function Receipts({ offers }: { readonly offers: readonly BillingOffer[] }) {
  const { t } = useTranslation("billing");
  const query = useInfiniteQuery(paymentsQuery(useWorkspaceId()));
  const isOwing = query.data?.pages.some(({ items }) => items.some(({ creditsOwed }) => creditsOwed > 0));
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{t("receipts.title")}</h2>
      <PagedTable
        query={query}
        label={t("receipts.title")}
        heads={COLUMNS.map((column) => t(`receipts.heads.${column}`))}
        overNumbers={[t("receipts.heads.sum"), t("receipts.heads.refunded")]}
        empty={<EmptyState title={t("receipts.empty.title")} text={t("receipts.empty.text")} />}
        row={(payment) => <PaymentRow key={payment.paymentId} payment={payment} offers={offers} />}
      />
      {isOwing && <p className="max-w-2xl text-xs text-quiet">{t("receipts.owedMeans")}</p>}
    </section>
  );
}

interface PaymentRowProps {
  readonly payment: Payment;
  readonly offers: readonly BillingOffer[];
}

function PaymentRow({ payment, offers }: PaymentRowProps) {
  const { t, i18n } = useTranslation("billing");
  const { money, number } = useMoney();
  const { kind, currency, amount, amountRefunded, amountDisputed, creditsOwed, paidAt } = payment;
  const credits = creditsOf(payment, offers);
  const day = new Intl.DateTimeFormat(i18n.language, { dateStyle: "medium" }).format(new Date(paidAt));
  return (
    <tr>
      <td>
        <Moment at={paidAt} hasTime={false} />
      </td>
      <td>
        {credits === null
          ? t("receipts.kind.plan")
          : t(`receipts.kind.${kind === "plan" ? "planOf" : kind}`, {
              count: credits,
              amount: number(credits),
            })}
        <Period payment={payment} />
        {creditsOwed > 0 && (
          <span className="block text-xs text-amber">
            {t("receipts.owed", { count: creditsOwed, amount: number(creditsOwed) })}
          </span>
        )}
      </td>
      <td className="text-right tabular-nums">{money(currency, amount)}</td>
      <td className="text-right tabular-nums">
        {amountRefunded === 0 ? "–" : money(currency, amountRefunded)}
        {amountDisputed > 0 && (
          <span className="block text-xs text-amber">
            {t("receipts.disputed", { sum: money(currency, amountDisputed) })}
          </span>
        )}
      </td>
      <td>{payment.receiptUrl === null ? "–" : <ReceiptLink url={payment.receiptUrl} of={day} />}</td>
    </tr>
  );
}

function Period({ payment: { periodStart, periodEnd } }: { readonly payment: Payment }) {
  if (periodStart === null || periodEnd === null) return null;
  return (
    <span className="block text-xs text-quiet">
      <Moment at={periodStart} hasTime={false} /> – <Moment at={periodEnd} hasTime={false} />
    </span>
  );
}

/** Credits that a payment bought. For a plan: its monthly credits by the price list; null if it is no longer listed. */
export function creditsOf(
  { kind, credits, offerId }: Payment,
  offers: readonly BillingOffer[],
): number | null {
  if (kind !== "plan") return credits;
  return offers.find((offer) => offer.offerId === offerId)?.quota ?? null;
}

/** Link to the provider's receipt, in a new tab. `of`: name of the payment for screen readers. */
export function ReceiptLink({ url, of }: { readonly url: string; readonly of?: string }) {
  const { t } = useTranslation("billing");
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      aria-label={of === undefined ? undefined : t("receipts.linkOf", { of })}
      className="text-accent underline underline-offset-2"
    >
      {t("receipts.link")}
    </a>
  );
}
