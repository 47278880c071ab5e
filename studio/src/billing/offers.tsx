import { ApiError } from "creative-packs";
import { useTranslation } from "react-i18next";
import { useIsOwner } from "#app/workspace.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import type { BillingOffer, BillingState } from "./billing-queries.ts";
import { useMoney } from "./money.ts";
import { useCheckout } from "./use-checkout.ts";

interface OffersProps {
  readonly billing: BillingState;
  readonly kind: BillingOffer["kind"];
}

/** Credit packs or plans, each with its price and a buy button. */
export function Offers({ billing, kind }: OffersProps) {
  const { t } = useTranslation("billing");
  const isOwner = useIsOwner();
  const { leave, isLeaving } = useCheckout();
  const offers = billing.offers.filter((offer) => offer.kind === kind);
  if (offers.length === 0) return null;
  // A workspace has at most one plan, which is changed on the payment provider's page.
  const isSettled = kind === "plan" && billing.plan !== null;
  const titleId = `offers-${kind}`;
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-3">
      <div className="flex flex-col gap-1">
        <h2 id={titleId} className="text-lg font-semibold">
          {t(`offers.${kind}`)}
        </h2>
        <p className="text-sm text-quiet">{isSettled ? t("plan.leadPresent") : t(`${kind}.lead`)}</p>
      </div>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {offers.map((offer) => (
          <OfferCard
            key={offer.offerId}
            offer={offer}
            isPresent={billing.plan?.offerId === offer.offerId}
            isBusy={isLeaving && leave.variables === offer.offerId}
            onBuy={isOwner && !isSettled ? leave.mutate : null}
          />
        ))}
      </ul>
      <BillingFault error={leave.error} />
    </section>
  );
}

interface OfferCardProps {
  readonly offer: BillingOffer;
  /** Whether this is the workspace's plan. */
  readonly isPresent: boolean;
  readonly isBusy: boolean;
  /** Null if the user cannot buy the offer here. */
  readonly onBuy: ((offerId: string) => void) | null;
}

function OfferCard({ offer, isPresent, isBusy, onBuy }: OfferCardProps) {
  const { t } = useTranslation("billing");
  const { money, priceOfOne, number } = useMoney();
  const { offerId, kind, currency, amount } = offer;
  const credits = offer.credits ?? offer.quota ?? 0;
  const price = money(currency, amount);
  return (
    <li
      className={`flex flex-col gap-4 rounded-lg border bg-card p-5 ${isPresent ? "border-accent" : "border-line"}`}
    >
      <div className="flex flex-1 flex-col gap-1">
        <div className="flex items-start justify-between gap-2">
          <h3 className="text-base font-semibold tabular-nums">
            {t(`${kind}.name`, { count: credits, amount: number(credits) })}
          </h3>
          {isPresent && <Badge tone="good">{t("plan.present")}</Badge>}
        </div>
        <p className="text-2xl font-semibold tracking-tight tabular-nums">
          {price}
          {kind === "plan" && <span className="text-sm font-normal text-quiet"> {t("plan.each")}</span>}
        </p>
        <p className="text-xs text-quiet tabular-nums">
          {t("perCredit", { price: priceOfOne(currency, amount, credits) })}
        </p>
      </div>
      {onBuy !== null && (
        <Button
          isBusy={isBusy}
          onClick={() => onBuy(offerId)}
          aria-label={t(`${kind}.buyLabel`, { count: credits, amount: number(credits), price })}
        >
          {t(`${kind}.buy`)}
        </Button>
      )}
    </li>
  );
}

const EXPLAINED = [
  "OFFER_UNKNOWN",
  "PLAN_ACTIVE",
  "NOTHING_BOUGHT",
  "PAYMENT_METHOD_REQUIRED",
  "PAYMENT_DISPUTED",
] as const;

/** Says why buying or saving failed and what to do. Renders nothing for null. */
export function BillingFault({ error }: { readonly error: unknown }) {
  const { t } = useTranslation("billing");
  const code = error instanceof ApiError ? EXPLAINED.find((one) => one === error.code) : undefined;
  return <ErrorNote error={error}>{code === undefined ? undefined : t(`fault.${code}`)}</ErrorNote>;
}
