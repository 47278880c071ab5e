import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { balanceQuery } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { Select } from "#ui/select.tsx";
import { TextField } from "#ui/text-field.tsx";
import { showToast } from "#ui/toast.ts";
import { type BillingState, refreshBilling } from "./billing-queries.ts";
import { monthlyMaximum, useMoney } from "./money.ts";
import { BillingFault } from "./offers.tsx";

interface TopUpFormProps {
  readonly billing: BillingState;
  readonly onDone: () => void;
}

const BELOW_DEFAULT = 50;
const PURCHASES_DEFAULT = 3;
const WHOLE_NUMBER = { type: "number", inputMode: "numeric", step: 1, required: true } as const;

/**
 * Form for automatic top-up: what to buy, when, and the monthly limit. Shows the maximum cost before the user agrees.
 */
export function TopUpForm({ billing, onDone }: TopUpFormProps) {
  const { t } = useTranslation("billing");
  const { money, number } = useMoney();
  const workspaceId = useWorkspaceId();
  const { topUp } = billing;
  const { data: balance } = useQuery(balanceQuery(workspaceId));
  const left = balance?.credits.available ?? Number.POSITIVE_INFINITY;
  const packs = billing.offers.filter(({ kind }) => kind === "credits");
  const [offerId, setOfferId] = useState(topUp?.offerId ?? packs[0]?.offerId ?? "");
  const offer = packs.find((one) => one.offerId === offerId) ?? packs[0];
  const [below, setBelow] = useState(String(topUp?.belowCredits ?? BELOW_DEFAULT));
  const [most, setMost] = useState(
    String(topUp?.monthlyCreditsMax ?? PURCHASES_DEFAULT * (offer?.credits ?? 0)),
  );
  const save = useMutation({
    mutationFn: (chosen: string) =>
      callAccount("setTopUp", {
        path: { workspaceId },
        json: { offerId: chosen, belowCredits: Number(below), monthlyCreditsMax: Number(most) },
      }),
    onSuccess: async () => {
      await refreshBilling(workspaceId);
      showToast(t("topUp.saved"));
      onDone();
    },
  });
  if (offer === undefined) return null;
  const credits = offer.credits ?? 0;
  const { purchases, amount } = monthlyMaximum({ credits, amount: offer.amount }, Number(most));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(offer.offerId);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-3">
        <Select
          label={t("topUp.offer")}
          value={offer.offerId}
          options={packs.map((pack) => ({
            value: pack.offerId,
            text: t("topUp.option", {
              credits: number(pack.credits ?? 0),
              price: money(pack.currency, pack.amount),
            }),
          }))}
          onChange={setOfferId}
        />
        <TextField
          {...WHOLE_NUMBER}
          label={t("topUp.below")}
          min={1}
          value={below}
          onValueChange={setBelow}
        />
        <TextField
          {...WHOLE_NUMBER}
          label={t("topUp.most")}
          min={credits}
          value={most}
          onValueChange={setMost}
          fault={purchases === 0 ? t("topUp.tooFew", { credits: number(credits) }) : null}
        />
      </div>
      {purchases > 0 && (
        <p aria-live="polite" className="text-sm font-medium tabular-nums">
          {t("topUp.cost", {
            count: purchases,
            credits: number(credits),
            sum: money(offer.currency, amount),
          })}
        </p>
      )}
      {purchases > 0 && left < Number(below) && (
        <p className="text-sm">
          {t("topUp.atOnce", {
            left: number(left),
            credits: number(credits),
            price: money(offer.currency, offer.amount),
          })}
        </p>
      )}
      <BillingFault error={save.error} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" isBusy={save.isPending} disabled={purchases === 0}>
          {t("topUp.submit")}
        </Button>
        {topUp !== null && (
          <Button kind="quiet" onClick={onDone}>
            {t("topUp.cancel")}
          </Button>
        )}
      </div>
    </form>
  );
}
