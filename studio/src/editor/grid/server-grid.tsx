import { useMutation, useQuery } from "@tanstack/react-query";
import { ApiError, type PackRequest } from "creative-packs";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { queryClient } from "#api/queries.ts";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { useReportWords } from "#report/use-report-words.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { EmptyState } from "#ui/page.tsx";
import { type SizeInfo, TILE, TileGroups } from "#ui/size-tiles.tsx";
import { useDraft } from "../draft/editor-store.ts";
import { readyAssets, type Uploads } from "../files/uploads.ts";
import { missingParts, packRequestOf } from "../order/pack-request.ts";
import { useSizeNames } from "../sizes/size-names.ts";
import { Shortcuts } from "./grid-toolbar.tsx";
import { type GridSelection, SizePanel } from "./size-panel.tsx";

interface ServerGridProps extends GridSelection {
  readonly sizes: readonly SizeInfo[];
  readonly uploads: Uploads;
}

/** The grid with server previews. Each size is rendered on request, because previews are limited per day and minute. */
export function ServerGrid({ sizes, uploads, panel, selectedId, onSelect }: ServerGridProps) {
  const { t } = useTranslation("editor");
  const { t: grid } = useTranslation("grid");
  const isOwner = useIsOwner();
  const { groupName, sizeName } = useSizeNames();
  const draft = useDraft((one) => one);
  const { assetIds } = readyAssets(draft.files, uploads);
  const lacksPicture = missingParts(draft).includes("files");
  if (lacksPicture || sizes.length === 0) {
    const text = lacksPicture ? t("serverPreviews.emptyText") : grid("empty.noSizes");
    return <EmptyState title={grid("empty.title")} text={text} />;
  }
  const selected = sizes.find(({ sizeId }) => sizeId === selectedId);
  const pack = assetIds !== null && isOwner ? packRequestOf(draft, assetIds) : null;
  return (
    <section aria-label={t("views.grid")} className="flex flex-col gap-6 p-4 sm:p-5 lg:overflow-y-auto">
      <div className="flex items-start gap-2">
        <p className="flex-1 text-sm text-quiet">
          {isOwner ? t("serverPreviews.lead") : t("serverPreviews.memberOnly")} <Allowance />
        </p>
        <Shortcuts own={{}} names={["grid", "order", "list"]} />
      </div>
      <TileGroups
        sizes={sizes}
        groupName={groupName}
        heading="h3"
        boxOf={(size) => size}
        tile={(size) => (
          <ServerTile
            size={size}
            name={sizeName(size)}
            request={pack === null ? null : requestOfSize(pack, size.sizeId)}
            isSelected={size.sizeId === selectedId}
            onAdjust={onSelect}
          />
        )}
      />
      {selected !== undefined && (
        <SizePanel key={selected.sizeId} size={selected} panel={panel} onClose={() => onSelect(null)} />
      )}
    </section>
  );
}

/** Reduces a pack to one of its sizes. */
export function requestOfSize(pack: PackRequest, sizeId: string): PackRequest {
  const own = pack.overrides?.[sizeId];
  return { ...pack, selectedSizeIds: [sizeId], overrides: own === undefined ? {} : { [sizeId]: own } };
}

function Allowance() {
  const { t } = useTranslation("editor");
  const workspaceId = useWorkspaceId();
  const { data } = useQuery({
    queryKey: ["workspace", workspaceId, "preview-quota"],
    queryFn: ({ signal }) => clientOf(workspaceId).previews.quota({ signal }),
  });
  return data === undefined ? null : t("serverPreviews.left", { count: data.product.remaining });
}

interface ServerTileProps {
  readonly size: SizeInfo;
  readonly name: string;
  /** Null if the size cannot be drawn yet. */
  readonly request: PackRequest | null;
  readonly isSelected: boolean;
  readonly onAdjust: (sizeId: string) => void;
}

/** A size that the service draws on request, with its layout adjustments. */
function ServerTile({ size, name, request, isSelected, onAdjust }: ServerTileProps) {
  const { t } = useTranslation("editor");
  const { altOf, adjustmentWords } = useReportWords();
  const workspaceId = useWorkspaceId();
  const preview = useMutation({
    mutationFn: async (pack: PackRequest) => clientOf(workspaceId).previews.create(pack, { maxRetries: 0 }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["workspace", workspaceId, "preview-quota"] }),
  });
  const { data, variables, isPending, error } = preview;
  const isStale =
    data !== undefined && request !== null && JSON.stringify(variables) !== JSON.stringify(request);
  return (
    <figure data-size-id={size.sizeId} className={TILE}>
      <div
        className="overflow-hidden border border-line bg-card"
        style={{ aspectRatio: `${size.width} / ${size.height}` }}
      >
        {data !== undefined && (
          <img
            src={`data:image/png;base64,${data.image.base64}`}
            alt={altOf(name, data.layout)}
            className={`size-full ${isStale ? "opacity-50" : ""}`}
          />
        )}
      </div>
      <figcaption className="flex flex-wrap items-center gap-2 text-xs text-quiet">
        <span className="tabular-nums">
          {size.width} × {size.height}
        </span>
        <Button
          aria-label={`${t(data === undefined ? "serverPreviews.draw" : "serverPreviews.drawAgain")}: ${name}`}
          isBusy={isPending}
          disabled={request === null || (data !== undefined && !isStale)}
          onClick={() => request !== null && preview.mutate(request)}
        >
          {t(data === undefined ? "serverPreviews.draw" : "serverPreviews.drawAgain")}
        </Button>
        <Button
          aria-label={`${t("serverPreviews.adjust")}: ${name}`}
          aria-haspopup="dialog"
          aria-expanded={isSelected}
          kind="quiet"
          onClick={() => onAdjust(size.sizeId)}
        >
          {t("serverPreviews.adjust")}
        </Button>
      </figcaption>
      {data !== undefined && data.layout.adjustments.length > 0 && (
        <ul className="flex max-w-64 list-disc flex-col gap-1 pl-4 text-xs text-quiet">
          {data.layout.adjustments.map((adjustment) => (
            <li key={`${adjustment.code} ${adjustment.element}`}>{adjustmentWords(adjustment)}</li>
          ))}
        </ul>
      )}
      <Refusal error={error} />
    </figure>
  );
}

function Refusal({ error }: { readonly error: unknown }) {
  const { t } = useTranslation("editor");
  const code = error instanceof ApiError ? error.code : null;
  const seconds = error instanceof ApiError ? (error.headers.get("Retry-After") ?? "60") : "";
  if (code === "PREVIEW_RATE_LIMITED")
    return <ErrorNote error={error}>{t("serverPreviews.tooOften", { seconds })}</ErrorNote>;
  if (code === "PREVIEW_QUOTA_EXCEEDED")
    return <ErrorNote error={error}>{t("serverPreviews.usedUp")}</ErrorNote>;
  return <ErrorNote error={error} />;
}
