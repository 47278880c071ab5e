import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { hasPicture } from "#engine/choose-next-tile.ts";
import { mayPass } from "#engine/faults.ts";
import type { Engine } from "#engine/types.ts";
import { useReportWords } from "#report/use-report-words.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/page.tsx";
import { type SizeInfo, TileGroups, tileWidthOf } from "#ui/size-tiles.tsx";
import { useSizeNames } from "../sizes/size-names.ts";
import { useEngineState } from "../use-engine.ts";
import { useGridInputs } from "./grid-inputs.ts";
import { TileCard } from "./tile-card.tsx";
import { useTileVisibility } from "./use-tile-visibility.ts";
import { ZoomDialog } from "./zoom-dialog.tsx";

/** Of a tile in its column, in device pixels. */
const widthPxOf = (size: SizeInfo, columnPx: number, pixelRatio: number): number =>
  Math.ceil(Math.min(tileWidthOf(size), columnPx) * pixelRatio);

interface LiveGridProps {
  /** Null while it is being started. */
  readonly engine: Engine | null;
  /** In the order of the contract. */
  readonly sizes: readonly SizeInfo[];
  /** Opens what one size has of its own. */
  readonly onAdjust: (sizeId: string) => void;
}

/** Every chosen size in its true proportions, by network, drawn in the page and redrawn as the draft changes. */
export function LiveGrid({ engine, sizes, onAdjust }: LiveGridProps) {
  const { t } = useTranslation("grid");
  const { groupName, sizeName } = useSizeNames();
  const inputs = useGridInputs();
  const { faultWords } = useReportWords();
  const column = useRef<HTMLDivElement>(null);
  const { columnPx, pixelRatio, inSight, watch } = useTileVisibility(column);
  const state = useEngineState(engine);
  const [zoomedId, setZoomedId] = useState<string | null>(null);
  const zoom = useCallback((sizeId: string) => setZoomedId(sizeId), []);
  const placed = useMemo(
    () =>
      sizes.map((size) => ({
        sizeId: size.sizeId,
        widthPx: widthPxOf(size, columnPx, pixelRatio),
        isVisible: inSight.has(size.sizeId),
      })),
    [sizes, columnPx, pixelRatio, inSight],
  );
  useEffect(() => {
    if (engine !== null && inputs !== null && columnPx > 0) engine.show({ ...inputs, sizes: placed });
  }, [engine, inputs, placed, columnPx]);

  const zoomed = sizes.find(({ sizeId }) => sizeId === zoomedId) ?? null;
  const passing = state.tiles.find(({ fault }) => fault !== null && mayPass(fault));
  // Of all sizes, or of some that can be tried again.
  const failure = state.fault ?? passing?.fault ?? null;
  const isEmpty = sizes.length === 0 || (inputs !== null && !hasPicture(inputs));
  return (
    <section ref={column} aria-label={t("title")} aria-busy={state.status === "loading"} className="min-w-0">
      <h2 className="sr-only">{t("title")}</h2>
      {isEmpty && <EmptyState title={t("empty.title")} text={t("empty.text")} />}
      {failure !== null && (
        <div
          role="alert"
          className="mb-4 flex flex-wrap items-center gap-3 rounded-md bg-red-soft px-3.5 py-2.5 text-sm"
        >
          <p className="min-w-0 flex-1">{faultWords(failure)}</p>
          <Button onClick={() => engine?.retry()}>{t("retry")}</Button>
        </div>
      )}
      <div className="flex flex-col gap-7 pb-7 empty:hidden">
        {!isEmpty && (
          <TileGroups
            sizes={sizes}
            groupName={groupName}
            heading="h3"
            boxOf={(size) => size}
            tile={(size) => (
              <TileCard
                key={size.sizeId}
                engine={engine}
                size={size}
                name={sizeName(size)}
                tile={state.tiles.find(({ sizeId }) => sizeId === size.sizeId) ?? null}
                widthPx={widthPxOf(size, columnPx, pixelRatio)}
                isMoving={inputs?.motion === "animated"}
                watch={watch(size.sizeId)}
                onZoom={zoom}
              />
            )}
          />
        )}
      </div>
      {engine !== null && zoomed !== null && (
        <ZoomDialog
          engine={engine}
          size={zoomed}
          name={sizeName(zoomed)}
          tile={state.tiles.find(({ sizeId }) => sizeId === zoomed.sizeId) ?? null}
          onClose={() => setZoomedId(null)}
          onAdjust={() => {
            setZoomedId(null);
            onAdjust(zoomed.sizeId);
          }}
        />
      )}
    </section>
  );
}
