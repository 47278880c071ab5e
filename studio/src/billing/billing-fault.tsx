import { ApiError } from "creative-packs";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "#ui/form.tsx";

const TOLD = [
  "OFFER_UNKNOWN",
  "PLAN_ACTIVE",
  "NOTHING_BOUGHT",
  "PAYMENT_METHOD_REQUIRED",
  "PAYMENT_DISPUTED",
] as const;

/** Why nothing could be bought or set, and what to do; nothing for null. */
export function BillingFault({ error }: { readonly error: unknown }) {
  const { t } = useTranslation("billing");
  const code = error instanceof ApiError ? TOLD.find((one) => one === error.code) : undefined;
  return <ErrorNote error={error}>{code === undefined ? undefined : t(`fault.${code}`)}</ErrorNote>;
}
