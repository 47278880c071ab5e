import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { mayPass } from "#drawing/faults.ts";
import { hasPicture } from "#drawing/plan-tiles.ts";
import type { Wall, WallInputs } from "#drawing/types.ts";
import { Button } from "#ui/button.tsx";
import { TileGroups } from "./tile-group.tsx";
import { tileWidthOf, type WallSizeInfo } from "./tile-size.ts";
import { usePlaces } from "./use-places.ts";
import { useReportWords } from "./use-report-words.ts";
import { useWallState } from "./use-wall.ts";
import { WallTileCard } from "./wall-tile-card.tsx";
import { ZoomDialog } from "./zoom-dialog.tsx";

export interface WallGridProps {
  readonly wall: Wall | null;
  /** Everything but the sizes, which come from `sizes`; null while a file is still being read. */
  readonly inputs: Omit<WallInputs, "sizes"> | null;
  /** In the order of the contract. */
  readonly sizes: readonly WallSizeInfo[];
  readonly groupName: (group: string) => string;
  /** Shown where there is nothing to draw. */
  readonly whenEmpty: React.ReactNode;
  /** Opens what one size has of its own. */
  readonly onAdjust: (sizeId: string) => void;
}

/** Every chosen size in its true proportions, by network, redrawn as its inputs change. */
export function WallGrid({ wall, inputs, sizes, groupName, whenEmpty, onAdjust }: WallGridProps) {
  const { t } = useTranslation("wall");
  const { faultWords } = useReportWords();
  const column = useRef<HTMLDivElement>(null);
  const { columnPx, pixelRatio, inSight, watch } = usePlaces(column);
  const state = useWallState(wall);
  const [zoomedId, setZoomedId] = useState<string | null>(null);
  const zoom = useCallback((sizeId: string) => setZoomedId(sizeId), []);
  const placed = useMemo(
    () =>
      sizes.map((size) => ({
        sizeId: size.sizeId,
        widthPx: Math.ceil(Math.min(tileWidthOf(size), columnPx) * pixelRatio),
        isVisible: inSight.has(size.sizeId),
      })),
    [sizes, columnPx, pixelRatio, inSight],
  );
  useEffect(() => {
    if (wall !== null && inputs !== null && columnPx > 0) wall.show({ ...inputs, sizes: placed });
  }, [wall, inputs, placed, columnPx]);

  const zoomed = sizes.find(({ sizeId }) => sizeId === zoomedId) ?? null;
  const nameOf = ({ group, width, height }: WallSizeInfo): string =>
    `${groupName(group)} ${width} × ${height}`;
  const passing = state.tiles.find(({ fault }) => fault !== null && mayPass(fault));
  // Of all sizes, or of some that can be tried again.
  const failure = state.fault ?? passing?.fault ?? null;
  const isEmpty = sizes.length === 0 || (inputs !== null && !hasPicture(inputs));
  return (
    <section ref={column} aria-label={t("title")} aria-busy={state.status === "loading"} className="min-w-0">
      <h2 className="sr-only">{t("title")}</h2>
      {isEmpty && whenEmpty}
      {failure !== null && (
        <div
          role="alert"
          className="mb-4 flex flex-wrap items-center gap-3 rounded-md bg-red-soft px-3.5 py-2.5 text-sm"
        >
          <p className="min-w-0 flex-1">{faultWords(failure)}</p>
          <Button onClick={() => wall?.retry()}>{t("retry")}</Button>
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
              <WallTileCard
                key={size.sizeId}
                size={size}
                name={nameOf(size)}
                tile={state.tiles.find(({ sizeId }) => sizeId === size.sizeId) ?? null}
                watch={watch(size.sizeId)}
                onZoom={zoom}
              />
            )}
          />
        )}
      </div>
      {wall !== null && zoomed !== null && (
        <ZoomDialog
          wall={wall}
          size={zoomed}
          name={nameOf(zoomed)}
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
