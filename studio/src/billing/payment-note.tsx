import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button, buttonStyle } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { type BillingOffer, newestPaymentQuery, type Payment, refreshBilling } from "./billing-queries.ts";
import { useMoney } from "./money.ts";
import { clearPendingCheckout, readPendingCheckout } from "./pending-checkout.ts";
import { creditsOf, ReceiptLink } from "./receipts.tsx";

/**
 * Result of a purchase, shown after the return from the payment page. The return does not prove a payment, so the note
 * waits until the service has received the provider's event.
 */
export function PaymentNote({ offers }: { readonly offers: readonly BillingOffer[] }) {
  const { bought } = useSearch({ from: "/w/$workspaceId/billing" });
  const [arrived, setArrived] = useState<Payment | null>(null);
  if (bought === 1) return <Waiting onArrived={setArrived} />;
  if (arrived !== null) return <Arrived payment={arrived} offers={offers} onClose={() => setArrived(null)} />;
  return bought === 0 ? <Canceled /> : null;
}

const LOOK_AGAIN_MS = 2_000;
const LOOK_SELDOM_MS = 20_000;
/**
 * After this wait, the note says that the payment takes longer than usual. Nearly all payments are reported within
 * seconds.
 */
const SLOW_AFTER_MS = 60_000;
/** A payment that is younger than this counts as new if this tab did not open the payment page. */
const RECENT_MS = 900_000;

const NOTE = "flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border px-5 py-4 text-sm";

function Waiting({ onArrived }: { readonly onArrived: (payment: Payment) => void }) {
  const { t } = useTranslation("billing");
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const isSlow = useIsSlow();
  const [left] = useState(() => readPendingCheckout(workspaceId));
  const { data, error } = useQuery({
    ...newestPaymentQuery(workspaceId),
    refetchInterval: isSlow ? LOOK_SELDOM_MS : LOOK_AGAIN_MS,
  });
  const arrived = data !== undefined && data !== null && isNew(data, left) ? data : null;
  useEffect(() => {
    if (arrived === null) return;
    clearPendingCheckout(workspaceId);
    onArrived(arrived);
    void refreshBilling(workspaceId);
    // Remove `bought` from the address, so that a reload does not wait for another payment.
    void navigate({ to: ".", search: {}, replace: true });
  }, [arrived, onArrived, workspaceId, navigate]);
  return (
    <div className={`${NOTE} border-line bg-sunk`}>
      <span
        aria-hidden="true"
        className="size-4 animate-spin rounded-full border-2 border-accent border-t-transparent"
      />
      <p role="status" className="min-w-0 flex-1 basis-60">
        {isSlow ? t("return.slow") : t("return.waiting")}
      </p>
      {isSlow && <CloseButton />}
      <ErrorNote error={error} />
    </div>
  );
}

function useIsSlow(): boolean {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSlow;
}

/** `left`: the newest payment when this tab left the page; null if unknown. */
const isNew = ({ paymentId, paidAt }: Payment, left: string | null): boolean =>
  left === null ? Date.now() - Date.parse(paidAt) < RECENT_MS : paymentId !== left;

interface ArrivedProps {
  readonly payment: Payment;
  readonly offers: readonly BillingOffer[];
  readonly onClose: () => void;
}

function Arrived({ payment, offers, onClose }: ArrivedProps) {
  const { t } = useTranslation("billing");
  const { money, number } = useMoney();
  const { kind, currency, amount, receiptUrl } = payment;
  const credits = creditsOf(payment, offers) ?? 0;
  const name = kind === "plan" ? "plan" : "credits";
  return (
    <div className={`${NOTE} border-accent bg-accent-soft`}>
      <p role="status" className="min-w-0 flex-1 basis-60">
        {t(`return.${name}`, { count: credits, amount: number(credits), price: money(currency, amount) })}
        {receiptUrl !== null && (
          <>
            {" "}
            <ReceiptLink url={receiptUrl} />
          </>
        )}
      </p>
      <ToDraft />
      <Button onClick={onClose}>{t("return.hide")}</Button>
    </div>
  );
}

/** Link back to the draft that ran out of credits. */
function ToDraft() {
  const { t } = useTranslation("billing");
  const workspaceId = useWorkspaceId();
  return (
    <Link to="/w/$workspaceId/create" params={{ workspaceId }} className={buttonStyle("primary")}>
      {t("return.toDraft")}
    </Link>
  );
}

function Canceled() {
  const { t } = useTranslation("billing");
  return (
    <div className={`${NOTE} border-line bg-sunk`}>
      <p role="status" className="min-w-0 flex-1 basis-60">
        {t("return.canceled")}
      </p>
      <ToDraft />
      <CloseButton />
    </div>
  );
}

function CloseButton() {
  const { t } = useTranslation("billing");
  const navigate = useNavigate();
  return (
    <Button onClick={() => void navigate({ to: ".", search: {}, replace: true })}>{t("return.hide")}</Button>
  );
}
