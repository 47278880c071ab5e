import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ValidationError } from "creative-packs";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { balanceQuery } from "#api/queries.ts";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { useDraft } from "../draft/editor-store.ts";
import type { Uploads } from "../files/uploads.ts";
import { useContract } from "../sizes/contract-queries.ts";
import { OrderFault, TooFewCredits } from "./order-fault.tsx";
import { OrderProgress } from "./order-progress.tsx";
import { needsOf, packRequestOf } from "./pack-request.ts";
import { readyAssets } from "./ready-assets.ts";
import type { OpenOrder } from "./use-order.ts";
import { useQuote } from "./use-quote.ts";

interface OrderBarProps {
  readonly uploads: Uploads;
  readonly order: OpenOrder;
}

/** What the pack costs, what will be left, and one click; then how far it is. */
export function OrderBar({ uploads, order }: OrderBarProps) {
  const { t } = useTranslation("editor");
  return (
    <section
      aria-label={t("order.label")}
      data-order-bar
      className="sticky bottom-0 z-20 border-t border-line bg-paper/95 px-4 py-3 backdrop-blur sm:px-6"
    >
      {order.order === null ? <Ready uploads={uploads} order={order} /> : <OrderProgress order={order} />}
    </section>
  );
}

function Ready({ uploads, order }: OrderBarProps) {
  const { t } = useTranslation("editor");
  const isOwner = useIsOwner();
  const draft = useDraft((one) => one);
  const { assetIds, hasFailed } = readyAssets(draft.files, uploads);
  const { data: contract } = useContract();
  const need = needsOf(draft)[0];
  const isComplete = need === undefined && assetIds !== null;
  const request = isComplete && isOwner ? packRequestOf(draft, assetIds) : null;
  const { quote, error, artifactId } = useQuote(request);
  const credits = quote?.expectedCost.amount ?? draft.sizeIds.length * (contract?.prices[draft.motion] ?? 0);
  const left = useCreditsLeft(credits);

  const hindrance = ((): string | null => {
    if (!isOwner) return t("order.memberOnly");
    if (need !== undefined) return t(`order.need.${need}`);
    if (hasFailed) return t("order.uploadFailed");
    return assetIds === null ? t("order.uploading") : null;
  })();
  const shown = order.error ?? error;
  return (
    <div className="flex flex-col gap-3">
      <OrderFault error={shown} isOrder={order.error !== null} onSolved={order.forgetError} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-col text-sm">
          <p className="font-medium tabular-nums">
            {t("sizes.chosen", { count: draft.sizeIds.length })} · {t("sizes.credits", { count: credits })}
          </p>
          <p className="text-xs text-quiet tabular-nums">{left.words}</p>
        </div>
        <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
          {artifactId !== null && <SamePack artifactId={artifactId} />}
          {hindrance !== null && <p className="text-sm text-quiet">{hindrance}</p>}
          <Button
            kind="primary"
            disabled={request === null || left.isShort || isRefusal(error)}
            onClick={() => request !== null && order.place(request, credits)}
          >
            {t("order.order", { count: credits })}
          </Button>
        </div>
      </div>
    </div>
  );
}

/** Whether the service has said that it would not take the order as it is. */
const isRefusal = (error: unknown): boolean => error instanceof ValidationError;

/** What will be left, in words, and whether it is too little. */
function useCreditsLeft(credits: number): { readonly words: ReactNode; readonly isShort: boolean } {
  const { t } = useTranslation("editor");
  const { data } = useQuery(balanceQuery(useWorkspaceId()));
  if (data === undefined) return { words: "", isShort: false };
  if (data.accessType === "unlimited") return { words: t("order.unlimited"), isShort: false };
  // The first that has enough pays the whole of a pack.
  const quota = data.subscription === null ? [] : [data.subscription.quota.remaining];
  const sources = [...quota, data.credits.available];
  const payer = sources.find((available) => available >= credits);
  return payer === undefined
    ? { words: <TooFewCredits available={Math.max(...sources)} required={credits} />, isShort: true }
    : { words: t("order.left", { count: payer - credits }), isShort: false };
}

function SamePack({ artifactId }: { readonly artifactId: string }) {
  const { t } = useTranslation("editor");
  const workspaceId = useWorkspaceId();
  return (
    <p className="text-sm text-amber">
      {t("order.hasPack")}{" "}
      <Link
        to="/w/$workspaceId/packs/$artifactId"
        params={{ workspaceId, artifactId }}
        className="underline underline-offset-2"
      >
        {t("order.openPack")}
      </Link>
    </p>
  );
}
