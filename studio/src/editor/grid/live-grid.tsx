import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { hasPicture } from "#engine/choose-next-tile.ts";
import { mayPass } from "#engine/faults.ts";
import type { DrawSize, EngineFault, EngineState } from "#engine/types.ts";
import { useReportWords } from "#report/use-report-words.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/page.tsx";
import type { SizeInfo } from "#ui/size-tiles.tsx";
import { useDraft } from "../draft/editor-store.ts";
import { useSizeNames } from "../sizes/size-names.ts";
import { useEngineState, useOpenEngine, useTile } from "../use-engine.ts";
import { useGridInputs } from "./grid-inputs.ts";
import { moveFocus, tileButton } from "./grid-keys.ts";
import { GridToolbar } from "./grid-toolbar.tsx";
import { editScale, fitScale, type GridLayout, packTiles, stripTiles, withMiddle } from "./pack-tiles.ts";
import { type GridSelection, PICTURE_PX, SizePanel, useIsWide } from "./size-panel.tsx";
import { TileCard } from "./tile-card.tsx";
import { usePlayback } from "./use-playback.ts";
import { type Room, useRoom } from "./use-room.ts";
import { ZoomDialog } from "./zoom-dialog.tsx";

interface LiveGridProps extends GridSelection {
  /** In the contract's order. */
  readonly sizes: readonly SizeInfo[];
}

/** Padding around the tiles in a narrow and a wide window; the scroller's CSS repeats it. */
const EDGE_PX = [16, 24] as const;

/** A second click within this time enlarges the size; until then its tile stays under the pointer. */
const DOUBLE_CLICK_MS = 300;

/** Maximum width of a tile's label in CSS px, when it shows the size's name. */
const LABEL_PX_MAX = 238;

/**
 * The sizes for the engine, with the pixel width of each tile. If the grid is hidden, tiles outside the strip are
 * parked. The edited size is drawn first. Tiles out of sight are not redrawn for a temporary zoom.
 */
function drawSizesOf(
  { tiles }: GridLayout<SizeInfo>,
  room: Room,
  restScale: number,
  edited: { readonly sizeId: string; readonly heightPx: number } | null,
): readonly DrawSize[] {
  const isHidden = room.width === 0;
  const strip = isHidden ? stripTiles(tiles.map(({ size }) => size)) : [];
  return tiles.map((tile) => {
    const { sizeId } = tile.size;
    const inStrip = strip.find(({ size }) => size.sizeId === sizeId);
    const isInSight =
      tile.y < room.top + 1.5 * room.height && tile.y + tile.height > room.top - 0.5 * room.height;
    const isEdited = sizeId === edited?.sizeId;
    const shown =
      inStrip?.width ?? (isInSight ? tile.width : Math.max(1, Math.round(tile.size.width * restScale)));
    const width = isEdited ? Math.max(shown, (edited.heightPx * tile.size.width) / tile.size.height) : shown;
    return {
      sizeId,
      widthPx: Math.round(width * (window.devicePixelRatio || 1)),
      isVisible: edited === null ? isHidden || isInSight : isEdited,
      isParked: isHidden && inStrip === undefined && !isEdited,
    };
  });
}

const failureOf = ({ fault, tiles }: EngineState): EngineFault | null =>
  fault ?? tiles.find((tile) => tile.fault !== null && mayPass(tile.fault))?.fault ?? null;

/** All chosen sizes at one scale, drawn in the page and redrawn as the draft changes. */
export function LiveGrid({ sizes, panel, selectedId: askedId, onSelect }: LiveGridProps) {
  const { t } = useTranslation("grid");
  const { sizeName } = useSizeNames();
  const { faultWords } = useReportWords();
  const inputs = useGridInputs();
  const overrides = useDraft((draft) => draft.overrides);
  const scroller = useRef<HTMLDivElement>(null);
  const room = useRoom(scroller);
  const engine = useOpenEngine();
  const isLoading = useEngineState(({ status }) => status === "loading");
  // Fault of all sizes; if there is none, the first retryable fault of a tile.
  const failure = useEngineState(failureOf);
  // Undo can remove the edited size.
  const selectedId = sizes.some(({ sizeId }) => sizeId === askedId) ? askedId : null;
  const selectedTile = useTile(selectedId);
  /** Scale; null fits the grid into the window. */
  const [zoom, setZoom] = useState<number | null>(null);
  /**
   * The edited size and its scale. Null until its tile is enlarged. With a null scale, the grid keeps its scale.
   */
  const [editZoom, setEditZoom] = useState<{ readonly sizeId: string; readonly scale: number | null } | null>(
    null,
  );
  const [stopId, setStopId] = useState<string | null>(null);
  const [enlargedId, setEnlargedId] = useState<string | null>(null);
  const enlargedTile = useTile(enlargedId);

  const isWide = useIsWide();
  const edges = 2 * EDGE_PX[isWide ? 1 : 0];
  const [width, height] = [(room?.width ?? 0) - edges, (room?.height ?? 0) - edges];
  // On a phone, fitting all tiles would show only specks.
  const fitHeight = isWide ? height : 2 * height;
  const fit = useMemo(() => fitScale(sizes, { width, height: fitHeight }), [sizes, width, fitHeight]);
  const restScale = zoom ?? fit;
  const scale = (selectedId === null ? null : editZoom?.scale) ?? restScale;
  // Id of the enlarged tile, which is centred. Padding lets the grid centre tiles at its edges, too.
  const middleId =
    selectedId !== null && editZoom !== null && editZoom.scale !== null ? editZoom.sizeId : null;
  const layout = useMemo(() => {
    const grid = packTiles(sizes, scale, width);
    const middle = grid.tiles.find(({ size }) => size.sizeId === middleId);
    return middle === undefined ? grid : withMiddle(grid, middle, { width, height });
  }, [sizes, scale, width, height, middleId]);
  const selected = layout.tiles.find(({ size }) => size.sizeId === selectedId) ?? null;
  useEffect(() => {
    if (selectedId === null || !isWide) return setEditZoom(null);
    const size = sizes.find(({ sizeId }) => sizeId === selectedId);
    if (size === undefined) return;
    const enlargeTile = () => setEditZoom({ sizeId: selectedId, scale: editScale(size, { width, height }) });
    const timer = setTimeout(enlargeTile, DOUBLE_CLICK_MS);
    return () => clearTimeout(timer);
  }, [selectedId, isWide, sizes, width, height]);
  useLayoutEffect(() => {
    // Do not scroll before the clicked tile is enlarged.
    if (middleId === null || middleId !== selectedId || layout.tiles.length === 0) return;
    tileButton(selectedId)?.scrollIntoView({ block: "center", inline: "center" });
  }, [middleId, selectedId, layout]);
  const zoomTo = useCallback(
    (to: number | null) =>
      selectedId === null ? setZoom(to) : setEditZoom({ sizeId: selectedId, scale: to }),
    [selectedId],
  );
  // Draw nothing until the grid is measured, and nothing while it is hidden in a wide window, which has no strip.
  const isUnseen = room === null || (room.width === 0 && isWide);
  const drawSizes = useMemo(() => {
    const edited = selectedId === null ? null : { sizeId: selectedId, heightPx: isWide ? 0 : PICTURE_PX };
    return isUnseen ? [] : drawSizesOf(layout, room, restScale, edited);
  }, [layout, room, restScale, isUnseen, selectedId, isWide]);
  useEffect(() => {
    if (engine !== null && inputs !== null && !isUnseen) engine.show({ ...inputs, sizes: drawSizes });
  }, [engine, inputs, drawSizes, isUnseen]);

  const enlarge = useCallback(
    (sizeId: string) => {
      onSelect(null);
      setEnlargedId(sizeId);
    },
    [onSelect],
  );
  const order = layout.tiles.map(({ size }) => size);
  const sizeIds = order.map(({ sizeId }) => sizeId);
  const enlarged = order.find(({ sizeId }) => sizeId === enlargedId) ?? null;
  const playedPx = drawSizes.find(({ sizeId }) => sizeId === selectedId)?.widthPx ?? 1;
  const playback = usePlayback(engine, selectedId ?? "", playedPx, selectedTile?.drawing ?? null);
  const lacksPicture = inputs !== null && !hasPicture(inputs);
  const isEmpty = sizes.length === 0 || lacksPicture;
  const stop = order.some(({ sizeId }) => sizeId === stopId) ? stopId : order[0]?.sizeId;
  return (
    <section
      aria-label={t("title")}
      aria-busy={isLoading}
      className="flex min-w-0 flex-col overflow-hidden bg-sunk max-lg:h-[calc(100dvh-15rem)] max-lg:min-h-96 lg:min-h-0 lg:flex-1"
    >
      <GridToolbar scale={scale} isFit={scale === fit} isEditing={selectedId !== null} onZoom={zoomTo} />
      <div
        ref={scroller}
        className="scrollbar-gutter-stable relative flex min-h-0 flex-1 flex-col overflow-auto p-4 *:shrink-0 lg:p-6"
      >
        {failure !== null && (
          // Inside the scroller: above it, the message would change the available height and thus the scale, which
          // would clear the fault and show it again.
          <div
            role="alert"
            className="sticky left-0 mb-4 flex flex-wrap items-center gap-3 rounded-md bg-red-soft px-3.5 py-2.5 text-sm"
          >
            <p className="min-w-0 flex-1">{faultWords(failure)}</p>
            <Button onClick={() => engine?.retry()}>{t("retry")}</Button>
          </div>
        )}
        {isEmpty ? (
          <EmptyState title={t("empty.title")} text={t(lacksPicture ? "empty.text" : "empty.noSizes")} />
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons within
          <div
            data-grid
            data-editing={selected === null ? undefined : ""}
            onKeyDown={(event) => moveFocus(event, sizeIds)}
            className="relative m-auto"
            style={{ width: layout.width, height: layout.height }}
          >
            {layout.tiles.map((placed) => {
              const { sizeId } = placed.size;
              return (
                <TileCard
                  key={sizeId}
                  placed={placed}
                  name={sizeName(placed.size)}
                  frame={sizeId === selectedId ? playback.picture : null}
                  hasOwn={overrides[sizeId] !== undefined}
                  isSelected={sizeId === selectedId}
                  isNearEnd={placed.x + LABEL_PX_MAX > layout.width}
                  isStop={sizeId === stop}
                  onSelect={onSelect}
                  onEnlarge={enlarge}
                  onFocus={setStopId}
                />
              );
            })}
          </div>
        )}
      </div>
      {selected !== null && !isEmpty && (
        <SizePanel
          key={selected.size.sizeId}
          size={selected.size}
          panel={panel}
          picture={playback.picture ?? selectedTile?.drawing?.picture ?? null}
          fault={selectedTile?.fault ?? playback.fault}
          playback={inputs?.motion === "animated" ? playback : null}
          onEnlarge={() => enlarge(selected.size.sizeId)}
          onClose={() => onSelect(null)}
        />
      )}
      {engine !== null && enlarged !== null && (
        <ZoomDialog
          engine={engine}
          sizes={order}
          size={enlarged}
          tile={enlargedTile}
          onShow={setEnlargedId}
          onClose={() => setEnlargedId(null)}
          onEdit={() => {
            setEnlargedId(null);
            onSelect(enlarged.sizeId);
          }}
        />
      )}
    </section>
  );
}
