import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { Moment } from "#ui/moment.tsx";
import { Card } from "#ui/page.tsx";
import { Meter } from "#ui/progress.tsx";
import { BillingFault } from "./billing-fault.tsx";
import type { BillingOffer, BillingPlan } from "./billing-queries.ts";
import { useMoney } from "./money.ts";
import { useLeave } from "./use-checkout.ts";

interface PlanCardProps {
  readonly plan: BillingPlan;
  /** Undefined for one that is sold no more. */
  readonly offer: BillingOffer | undefined;
}

/** The workspace's plan: how much of its month is used, when it ends, and the way to change it. */
export function PlanCard({ plan, offer }: PlanCardProps) {
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

/** Goes to the payment provider's own page, where cards, invoices and the plan are. */
export function PortalButton({ text }: { readonly text: string }) {
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
