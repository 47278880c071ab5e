import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ApiError, type ErrorDetails } from "creative-packs";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { queryClient, serviceQuery } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { SendConfirmation } from "#session/send-confirmation.tsx";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { useEdit } from "../draft/editor-store.ts";
import { setOwnText } from "../draft/edits.ts";
import { useContract } from "../sizes/contract-queries.ts";
import { useSizeNames } from "../sizes/size-names.ts";
import { outcomeOf } from "./use-order.ts";

interface OrderFaultProps {
  /** Error of the order or its quote; null for none. */
  readonly error: unknown;
  readonly isOrder: boolean;

  /** Called when the user has fixed the cause. */
  readonly onSolved: () => void;
}

const UNAUTHORIZED = 401;
const ASSET_CODES = ["ASSET_UNKNOWN", "ASSET_NOT_FOUND"];

/** Says why an order is refused, and what to do. */
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

/** Shown if an asset was deleted. The browser has the bytes and uploads them again. */
function AssetsGone({ error, onSolved }: { readonly error: unknown; readonly onSolved: () => void }) {
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
  /** Remaining credits of the plan; null or absent without a plan. */
  readonly plan?: number | null;
}

/** Shown if there are too few credits. Links to the offers, or refers to the operator. */
export function TooFewCredits({ available, required, plan = null }: TooFewCreditsProps) {
  const { t } = useTranslation("editor");
  const workspaceId = useWorkspaceId();
  const { data: service } = useQuery(serviceQuery);
  const words =
    plan === null
      ? t("order.short", { available, required })
      : t("order.shortOfBoth", { plan, available, required });
  // Without any credit, fewer sizes would not help.
  const isEmpty = available === 0 && (plan ?? 0) === 0;
  if (service === undefined) return isEmpty ? words : `${words} ${t("order.fewer")}`;
  if (!service.billing) return `${words} ${t(isEmpty ? "order.ask" : "order.fewerOrAsk")}`;
  return (
    <>
      {words} {isEmpty ? null : t("order.fewerOrBuy")}{" "}
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

type Misfit = NonNullable<ErrorDetails["misfits"]>[number];

interface MisfitsProps {
  readonly misfits: readonly Misfit[];
  readonly onSolved: () => void;
}

/** Lists sizes whose headline is too long, with the longest version that fits, and offers two fixes. */
function Misfits({ misfits, onSolved }: MisfitsProps) {
  const { t } = useTranslation("editor");
  const { sizeName } = useSizeNames();
  const edit = useEdit();
  const { data: contract } = useContract();
  const nameOf = (sizeId: string): string => {
    const size = contract?.sizes.find((one) => one.sizeId === sizeId);
    return size === undefined ? sizeId : sizeName(size);
  };
  const solve = (isShortened: boolean): void => {
    const gone = new Set(misfits.map(({ sizeId }) => sizeId));
    edit((draft) =>
      isShortened
        ? misfits.reduce((now, { sizeId, longest }) => setOwnText(now, sizeId, "headline", longest), draft)
        : { ...draft, sizeIds: draft.sizeIds.filter((sizeId) => !gone.has(sizeId)) },
    );
    onSolved();
  };
  return (
    <div
      role="alert"
      className="flex flex-col gap-2 rounded-md border border-red bg-red-soft px-3.5 py-2.5 text-sm"
    >
      <p>{t("order.misfit")}</p>
      <ul className="max-h-32 list-disc overflow-y-auto pl-5 text-xs">
        {misfits.map(({ sizeId, longest }) => (
          <li key={sizeId}>
            {longest === ""
              ? t("order.misfitNone", { name: nameOf(sizeId) })
              : t("order.misfitLongest", { name: nameOf(sizeId), longest })}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => solve(true)}>{t("order.useShorter")}</Button>
        <Button onClick={() => solve(false)}>{t("order.leaveOut")}</Button>
      </div>
    </div>
  );
}
