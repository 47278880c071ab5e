import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type PackRequest, type RequestOptions, ValidationError } from "creative-packs";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { balanceQuery, spendableOf } from "#api/queries.ts";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { useDebounced } from "#ui/use-debounced.ts";
import { useDraft } from "../draft/editor-store.ts";
import { readyAssets, type Uploads } from "../files/uploads.ts";
import { useContract } from "../sizes/contract-queries.ts";
import { useFaultyFiles } from "../use-engine.ts";
import { OrderFault, TooFewCredits } from "./order-fault.tsx";
import { OrderProgress } from "./order-progress.tsx";
import { missingParts, packRequestOf } from "./pack-request.ts";
import type { OpenOrder } from "./use-order.ts";

interface OrderBarProps {
  readonly uploads: Uploads;
  readonly order: OpenOrder;
}

/** Bar with cost, remaining credits and order button; after ordering, with the order's progress. */
export function OrderBar({ uploads, order }: OrderBarProps) {
  const { t } = useTranslation("editor");
  return (
    <section
      aria-label={t("order.label")}
      data-order-bar
      ref={keepClear}
      className="sticky bottom-0 z-20 border-t border-line bg-paper px-4 py-3 sm:px-5"
    >
      {order.order === null ? <Ready uploads={uploads} order={order} /> : <OrderProgress order={order} />}
    </section>
  );
}

/** Scrolls focused elements out from under the bar, whatever its height (WCAG 2.4.11). */
function keepClear(bar: HTMLElement): () => void {
  const { style } = document.documentElement;
  const watch = new ResizeObserver(() => {
    style.scrollPaddingBottom = `${bar.offsetHeight + 8}px`;
  });
  watch.observe(bar);
  return () => {
    watch.disconnect();
    style.scrollPaddingBottom = "";
  };
}

function Ready({ uploads, order }: OrderBarProps) {
  const { t } = useTranslation("editor");
  const hintId = useId();
  const isOwner = useIsOwner();
  const draft = useDraft((one) => one);
  const { assetIds, hasFailed } = readyAssets(draft.files, uploads);
  const faultyFiles = useFaultyFiles();
  const hasFaulty = hasFailed || Object.keys(faultyFiles).length > 0;
  const { data: contract } = useContract();
  const need = missingParts(draft)[0];
  const isComplete = need === undefined && assetIds !== null && !hasFaulty;
  const request = isComplete && isOwner ? packRequestOf(draft, assetIds) : null;
  const { quote, error } = useQuote(request);
  const artifactId = quote?.job?.artifactId ?? null;
  const credits = quote?.cost ?? draft.sizeIds.length * (contract?.prices[draft.motion] ?? 0);
  const left = useCreditsLeft(credits);

  const hindrance = ((): string | null => {
    if (!isOwner) return t("order.memberOnly");
    if (need !== undefined) return t(`order.need.${need}`);
    if (hasFaulty) return t("order.uploadFailed");
    return assetIds === null ? t("order.uploading") : null;
  })();
  const shown = order.error ?? error;
  return (
    <div className="flex flex-col gap-3">
      <OrderFault error={shown} isOrder={order.error !== null} onSolved={order.forgetError} />
      <div className="flex items-center justify-between gap-4">
        <div className="flex min-w-0 flex-1 flex-col text-sm">
          <p className="font-medium tabular-nums">
            {t("sizes.chosen", { count: draft.sizeIds.length })}
            {!left.isUnlimited && ` · ${t("sizes.credits", { count: credits })}`}
          </p>
          <p id={hintId} className="text-xs text-quiet tabular-nums">
            {hindrance ?? left.words}
          </p>
          {artifactId !== null && <SamePack artifactId={artifactId} />}
        </div>
        <Button
          aria-describedby={hintId}
          kind="primary"
          disabled={request === null || left.isShort || isRefusal(error)}
          onClick={() => request !== null && order.place(request, credits)}
        >
          {credits === 0 || left.isUnlimited ? t("order.pack") : t("order.order", { count: credits })}
        </Button>
      </div>
    </div>
  );
}

/** Whether a quote failed because the order is invalid. */
const isRefusal = (error: unknown): boolean => error instanceof ValidationError;

/** Returns which source pays, how many credits will be left, and whether there are too few. */
export function useCreditsLeft(credits: number) {
  const { t } = useTranslation("editor");
  const { data } = useQuery(balanceQuery(useWorkspaceId()));
  if (data === undefined) return { words: "", isShort: false, isUnlimited: false };
  if (data.accessType === "unlimited")
    return { words: t("order.unlimited"), isShort: false, isUnlimited: true };
  const { plan, prepaid, total } = spendableOf(data);
  const isShort = Math.max(plan ?? 0, prepaid) < credits;
  const left = total - credits;
  const words = (): ReactNode => {
    if (isShort) return <TooFewCredits available={prepaid} plan={plan} required={credits} />;
    if (plan === null) return t("order.left", { count: left });
    // The plan pays if it covers the whole pack.
    return plan >= credits
      ? t("order.fromPlan", { left, plan: plan - credits, prepaid })
      : t("order.fromPrepaid", { left, plan, prepaid: prepaid - credits });
  };
  return { words: words(), isShort, isUnlimited: false };
}

function SamePack({ artifactId }: { readonly artifactId: string }) {
  const { t } = useTranslation("editor");
  const workspaceId = useWorkspaceId();
  return (
    <p className="text-xs text-amber">
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

/** Pause in typing before a quote is requested. */
export const REST_MS = 900;

/**
 * Price of a pack in credits, and the newest job of an identical pack: either in progress, or succeeded with its files
 * not yet deleted.
 */
export async function quotePack(workspaceId: string, request: PackRequest, options: RequestOptions) {
  const { jobs } = clientOf(workspaceId);
  const { expectedCost, renderFingerprint } = await jobs.quote(request, options);
  const same = await jobs.list({ renderFingerprint, limit: 1 }, options).firstPage();
  return { cost: expectedCost.amount, job: same.items[0] ?? null };
}

/** Quotes an order after each pause in changes. Null quotes nothing. */
function useQuote(request: PackRequest | null) {
  const workspaceId = useWorkspaceId();
  const body = request === null ? null : JSON.stringify(request);
  const rested = useDebounced(body, REST_MS);
  const isCurrent = body !== null && rested === body;
  const { data, error } = useQuery({
    queryKey: ["workspace", workspaceId, "quote", rested],
    enabled: isCurrent && request !== null,
    staleTime: 60_000,
    queryFn: ({ signal }) => (request === null ? null : quotePack(workspaceId, request, { signal })),
  });
  return isCurrent ? { quote: data ?? null, error } : { quote: null, error: null };
}
