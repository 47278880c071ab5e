import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { KnownService } from "#api/known-service.tsx";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { ErrorNote } from "#ui/form.tsx";
import { Card, Loading, Page } from "#ui/page.tsx";
import { CopyButton } from "#ui/secret.tsx";
import { BalanceCard } from "#usage/balance-card.tsx";
import { billingQuery } from "./billing-queries.ts";
import { useMoney } from "./money.ts";
import { Offers } from "./offers.tsx";
import { PaymentNote } from "./payment-note.tsx";
import { PlanCard, PortalButton } from "./plan-card.tsx";
import { Receipts } from "./receipts.tsx";
import { TopUpCard } from "./top-up-card.tsx";

/** What can be spent, what can be bought, and what was paid. Owners buy; members look. */
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

/** Credits that a refund or a dispute took back after they were spent. */
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

/** Where nothing is sold: whom to ask, and what to name to them. */
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
