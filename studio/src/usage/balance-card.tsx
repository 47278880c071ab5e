import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { balanceQuery, spendableOf } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { ErrorNote } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";

/** Card with the total credits, the plan's credits, the prepaid credits, and prices. */
export function BalanceCard() {
  const { t, i18n } = useTranslation("usage");
  const { t: common } = useTranslation();
  const { data, error } = useQuery(balanceQuery(useWorkspaceId()));
  if (data === undefined) return <ErrorNote error={error} />;
  const { accessType, subscription, prices } = data;
  const { prepaid, total } = spendableOf(data);
  const amount = (credits: number): string => new Intl.NumberFormat(i18n.language).format(credits);
  const isUnlimited = accessType === "unlimited";
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-4 rounded-lg border border-line bg-card p-5">
      <Amount
        label={t("available")}
        amount={isUnlimited ? common("credits.unlimited") : amount(total)}
        note={t("prices", prices)}
      />
      {!isUnlimited && subscription !== null && (
        <>
          <Amount
            label={t("plan")}
            amount={amount(subscription.quota.remaining)}
            note={
              <>
                {t("ofQuota", { left: subscription.quota.remaining, quota: subscription.quota.limit })}{" "}
                <Moment at={subscription.quota.resetsAt} hasTime={false} />
              </>
            }
          />
          <Amount label={t("prepaid")} amount={amount(prepaid)} note={t("payer")} />
        </>
      )}
    </dl>
  );
}

interface AmountProps {
  readonly label: string;
  readonly amount: string;
  readonly note: ReactNode;
}

function Amount({ label, amount, note }: AmountProps) {
  return (
    <div>
      <dt className="text-xs text-quiet">{label}</dt>
      <dd className="text-3xl font-semibold tabular-nums">{amount}</dd>
      <dd className="text-xs text-quiet">{note}</dd>
    </div>
  );
}
