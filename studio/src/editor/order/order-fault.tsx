import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ApiError } from "creative-packs";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { queryClient, serviceQuery } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { SendConfirmation } from "#session/send-confirmation.tsx";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Misfits } from "./misfit-list.tsx";
import { outcomeOf } from "./use-order.ts";

interface OrderFaultProps {
  /** Of the order, or of the question what it would be; null for none. */
  readonly error: unknown;
  readonly isOrder: boolean;

  /** Called when the person has done something about it. */
  readonly onSolved: () => void;
}

const UNAUTHORIZED = 401;
const ASSET_CODES = ["ASSET_UNKNOWN", "ASSET_NOT_FOUND"];

/** Why an order is refused, and the ways on. */
export function OrderFault({ error, isOrder, onSolved }: OrderFaultProps) {
  const { t } = useTranslation("editor");
  if (error === null || error === undefined) return null;
  const isRefused = isOrder && outcomeOf(error) === "refused";
  if (!(error instanceof ApiError)) return <ErrorNote error={error} />;
  if (error.status === UNAUTHORIZED)
    return isOrder ? <ErrorNote error={error}>{t("order.session")}</ErrorNote> : null;
  const { details, code } = error;
  if (code === "COPY_DOES_NOT_FIT" && details.misfits !== undefined)
    return <Misfits misfits={details.misfits} onSolved={onSolved} />;
  if (ASSET_CODES.includes(code)) return <AssetsGone error={error} onSolved={onSolved} />;
  return (
    <div className="flex flex-wrap items-start gap-3">
      <div className="min-w-0 flex-1">
        <ErrorNote error={error}>{wordsOf()}</ErrorNote>
        {code === "EMAIL_NOT_CONFIRMED" && (
          <div className="mt-2 flex flex-wrap items-center gap-3">
            <SendConfirmation />
          </div>
        )}
        {isRefused && <p className="mt-1 text-xs text-quiet">{t("order.refused")}</p>}
      </div>
      {isOrder && <Button onClick={onSolved}>{t("files.dismiss")}</Button>}
    </div>
  );

  function wordsOf(): ReactNode {
    if (code === "PAYMENT_REQUIRED" && details.required !== undefined)
      return <TooFewCredits available={details.available ?? 0} required={details.required} />;
    if (code === "EMAIL_NOT_CONFIRMED") return t("order.unconfirmed");
    if (code === "COPY_UNSUPPORTED" && details.characters !== undefined && details.characters.length > 0)
      return t("order.unsupported", { characters: details.characters.join(" ") });
    return undefined;
  }
}

interface AssetsGoneProps {
  readonly error: unknown;
  readonly onSolved: () => void;
}

/** An asset was deleted while the draft stood: the browser has its bytes, and sends them again. */
function AssetsGone({ error, onSolved }: AssetsGoneProps) {
  const { t } = useTranslation("editor");
  const { t: common } = useTranslation();
  const workspaceId = useWorkspaceId();
  const sendAgain = async (): Promise<void> => {
    await queryClient.resetQueries({ queryKey: ["upload", workspaceId] });
    onSolved();
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div className="min-w-0 flex-1">
        <ErrorNote error={error}>{t("order.assets")}</ErrorNote>
      </div>
      <Button onClick={() => void sendAgain()}>{common("retry")}</Button>
    </div>
  );
}

interface TooFewCreditsProps {
  readonly available: number;
  readonly required: number;
}

/** Says that credits are too few, and the ways on: to the page where they are bought, or to the operator. */
export function TooFewCredits({ available, required }: TooFewCreditsProps) {
  const { t } = useTranslation("editor");
  const workspaceId = useWorkspaceId();
  const { data: service } = useQuery(serviceQuery);
  if (service === undefined) return t("order.shortAlone", { available, required });
  if (!service.billing) return t("order.short", { available, required });
  return (
    <>
      {t("order.shortBuy", { available, required })}{" "}
      <Link
        to="/w/$workspaceId/billing"
        params={{ workspaceId }}
        className="font-medium text-accent underline underline-offset-2"
      >
        {t("order.buy")}
      </Link>
    </>
  );
}
