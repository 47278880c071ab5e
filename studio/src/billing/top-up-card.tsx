import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { ConfirmButton } from "#ui/confirm-button.tsx";
import { Card } from "#ui/page.tsx";
import { showToast } from "#ui/toast.ts";
import { type BillingState, refreshBilling, type TopUp } from "./billing-queries.ts";
import { useMoney } from "./money.ts";
import { TopUpForm } from "./top-up-form.tsx";

/** Automatic top-up: the current rule, the reason if it is paused, and the form to change it. */
export function TopUpCard({ billing }: { readonly billing: BillingState }) {
  const { t } = useTranslation("billing");
  const isOwner = useIsOwner();
  const [isEditing, setIsEditing] = useState(false);
  const { topUp, hasCustomer, offers } = billing;
  if (!offers.some(({ kind }) => kind === "credits")) return null;
  if (!isOwner && topUp === null) return null;
  return (
    <Card title={t("topUp.title")}>
      <p className="max-w-2xl text-sm text-quiet">{t("topUp.lead")}</p>
      {topUp !== null && !isEditing && <Rule topUp={topUp} onEdit={() => setIsEditing(true)} />}
      {topUp === null && !hasCustomer && <p className="text-sm">{t("topUp.buyOnce")}</p>}
      {(isEditing || (topUp === null && hasCustomer)) && (
        <TopUpForm billing={billing} onDone={() => setIsEditing(false)} />
      )}
    </Card>
  );
}

function Rule({ topUp, onEdit }: { readonly topUp: TopUp; readonly onEdit: () => void }) {
  const { t } = useTranslation("billing");
  const { number } = useMoney();
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const { credits, belowCredits, monthlyCreditsMax, boughtThisMonth, status } = topUp;
  const remove = useMutation({
    mutationFn: () => callAccount("removeTopUp", { path: { workspaceId } }),
    onSuccess: () => refreshBilling(workspaceId),
  });
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        <Badge tone={status === "active" ? "good" : "warning"}>{t(`topUp.status.${status}`)}</Badge>
        <p className="tabular-nums">
          {t("topUp.rule", { credits: number(credits), below: number(belowCredits) })}
        </p>
      </div>
      {status === "paused" && (
        <p
          role="status"
          className="max-w-2xl rounded-md border border-amber bg-amber-soft px-3.5 py-2.5 text-sm"
        >
          {t("topUp.paused")}
        </p>
      )}
      <p className="text-xs text-quiet tabular-nums">
        {t("topUp.month", { bought: number(boughtThisMonth), max: number(monthlyCreditsMax) })}
      </p>
      {isOwner && (
        <div className="flex flex-wrap gap-2">
          <Button onClick={onEdit}>{status === "paused" ? t("topUp.resume") : t("topUp.edit")}</Button>
          <ConfirmButton
            text={t("topUp.remove")}
            question={t("topUp.question")}
            consequence={t("topUp.consequence")}
            onConfirm={async () => {
              await remove.mutateAsync();
              showToast(t("topUp.removed"));
            }}
          />
        </div>
      )}
    </>
  );
}
