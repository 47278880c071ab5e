import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { KnownService } from "#api/known-service.tsx";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";
import { Card, Loading, Page } from "#ui/page.tsx";
import { Meter } from "#ui/progress.tsx";
import { CopyButton } from "#ui/secret.tsx";
import { BalanceCard } from "#usage/balance-card.tsx";
import { type BillingOffer, type BillingPlan, billingQuery } from "./billing-queries.ts";
import { useMoney } from "./money.ts";
import { BillingFault, Offers } from "./offers.tsx";
import { PaymentNote } from "./payment-note.tsx";
import { Receipts } from "./receipts.tsx";
import { TopUpCard } from "./top-up-card.tsx";
import { useLeave } from "./use-checkout.ts";

/** Balance, offers and receipts. Only owners can buy. */
export function BillingPage() {
  const { t } = useTranslation("billing");
  return (
    <Page title={t("title")} lead={t("lead")}>
      <BalanceCard />
      <KnownService>{({ billing }) => (billing ? <Sold /> : <NotSold />)}</KnownService>
    </Page>
  );
}

function Sold() {
  const { t } = useTranslation("billing");
  const isOwner = useIsOwner();
  const { data: billing, error, isPending } = useQuery(billingQuery(useWorkspaceId()));
  if (isPending) return <Loading />;
  if (billing === undefined) return <ErrorNote error={error} />;
  const { plan, offers, hasCustomer } = billing;
  return (
    <>
      <PaymentNote offers={offers} />
      <Owed credits={billing.creditsOwed} />
      {!isOwner && <p className="text-sm">{t("ownersOnly")}</p>}
      {plan !== null && (
        <PlanCard plan={plan} offer={offers.find(({ offerId }) => offerId === plan.offerId)} />
      )}
      <Offers billing={billing} kind="credits" />
      <Offers billing={billing} kind="plan" />
      <TopUpCard billing={billing} />
      <Receipts offers={offers} />
      {isOwner && hasCustomer && (
        <section aria-label={t("portal.label")} className="flex flex-col gap-3">
          <p className="text-sm text-quiet">{t("portal.lead")}</p>
          <PortalButton text={t("portal.text")} />
        </section>
      )}
    </>
  );
}

/** Credits that the workspace owes: they were spent before their payment was refunded or disputed. */
function Owed({ credits }: { readonly credits: number }) {
  const { t } = useTranslation("billing");
  const { number } = useMoney();
  if (credits === 0) return null;
  return (
    <p role="status" className="rounded-lg border border-amber bg-amber-soft px-5 py-4 text-sm">
      {t("owed", { count: credits, amount: number(credits) })}
    </p>
  );
}

/** Shown if the service sells nothing. Refers the user to the operator, and shows the workspace id to send along. */
function NotSold() {
  const { t } = useTranslation("billing");
  const workspaceId = useWorkspaceId();
  return (
    <Card title={t("off.title")}>
      <p className="max-w-2xl text-sm">{t("off.text")}</p>
      <div className="flex flex-wrap items-center gap-2">
        <code className="rounded-md bg-sunk px-3 py-2 font-mono text-xs break-all">{workspaceId}</code>
        <CopyButton text={workspaceId} />
      </div>
    </Card>
  );
}

interface PlanCardProps {
  readonly plan: BillingPlan;
  /** The plan's offer; undefined if it is no longer sold. */
  readonly offer: BillingOffer | undefined;
}

/** The workspace's plan: usage this month, end of the plan, and a link to change it. */
function PlanCard({ plan, offer }: PlanCardProps) {
  const { t } = useTranslation("billing");
  const { money, number } = useMoney();
  const isOwner = useIsOwner();
  const { quota, used, periodEnd, cancelAt } = plan;
  const usedText = t("plan.used", { used: number(used), quota: number(quota) });
  return (
    <Card title={t("plan.title")}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="text-base font-medium tabular-nums">{usedText}</p>
        {offer !== undefined && (
          <p className="text-sm text-quiet tabular-nums">
            {money(offer.currency, offer.amount)} {t("plan.each")}
          </p>
        )}
      </div>
      <Meter label={t("plan.meter")} value={used} max={quota} text={usedText} />
      <p className="text-sm text-quiet">
        {cancelAt === null ? t("plan.renews") : t("plan.ends")}{" "}
        <Moment at={cancelAt ?? periodEnd} hasTime={false} />.
      </p>
      {isOwner && <PortalButton text={t("plan.change")} />}
    </Card>
  );
}

/** Opens the payment provider's page for cards, invoices and the plan. */
function PortalButton({ text }: { readonly text: string }) {
  const workspaceId = useWorkspaceId();
  const { leave, isLeaving } = useLeave(() => callAccount("openBillingPortal", { path: { workspaceId } }));
  return (
    <div className="flex flex-col items-start gap-2">
      <Button isBusy={isLeaving} onClick={() => leave.mutate()}>
        {text}
      </Button>
      <BillingFault error={leave.error} />
    </div>
  );
}
