import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { balanceQuery } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { ErrorNote } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";

/** Credits, subscription and prices. */
export function BalanceCard() {
  const { t, i18n } = useTranslation("usage");
  const { data, error } = useQuery(balanceQuery(useWorkspaceId()));
  if (data === undefined) return <ErrorNote error={error} />;
  const { credits, subscription, prices } = data;
  const amounts = new Intl.NumberFormat(i18n.language);
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-4 rounded-lg border border-line bg-card p-5">
      <div>
        <dt className="text-xs text-quiet">{t("available")}</dt>
        <dd className="text-3xl font-semibold tabular-nums">{amounts.format(credits.available)}</dd>
        <dd className="text-xs text-quiet">{t("prices", prices)}</dd>
      </div>
      {subscription !== null && (
        <div>
          <dt className="text-xs text-quiet">{t("subscription")}</dt>
          <dd className="text-3xl font-semibold tabular-nums">
            {amounts.format(subscription.quota.remaining)}
          </dd>
          <dd className="text-xs text-quiet">
            {t("ofQuota", { left: subscription.quota.remaining, quota: subscription.quota.limit })}{" "}
            <Moment at={subscription.quota.resetsAt} hasTime={false} />
          </dd>
        </div>
      )}
    </dl>
  );
}
