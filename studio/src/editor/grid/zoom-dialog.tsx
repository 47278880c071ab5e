import { Dialog } from "@base-ui/react/dialog";
import { ChevronLeft, ChevronRight, Pencil, ScanEye, Smartphone, X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Drawing, Engine, EngineFault, Tile } from "#engine/types.ts";
import { useReportWords } from "#report/use-report-words.ts";
import { Button } from "#ui/button.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import type { SizeInfo } from "#ui/size-tiles.tsx";
import { useDraft } from "../draft/editor-store.ts";
import { useSizeNames } from "../sizes/size-names.ts";
import { useEngineState } from "../use-engine.ts";
import { tileButton } from "./grid-keys.ts";
import { NetworkMockup, settingOf } from "./network-mockup.tsx";
import { PictureCanvas } from "./tile-card.tsx";
import { Transport } from "./transport.tsx";
import { usePlayback } from "./use-playback.ts";
import { type Room, useRoom } from "./use-room.ts";
import { ZoomReport } from "./zoom-report.tsx";

interface ZoomDialogProps {
  readonly engine: Engine;
  /** The grid's sizes, in reading order. */
  readonly sizes: readonly SizeInfo[];
  readonly size: SizeInfo;
  readonly tile: Tile | null;
  readonly onShow: (sizeId: string) => void;
  readonly onClose: () => void;
  readonly onEdit: () => void;
}

/** One size in the whole window: animation, safe area, network mockup and report. */
export function ZoomDialog(props: ZoomDialogProps) {
  const { engine, sizes, size, tile, onShow, onClose, onEdit } = props;
  const tiles = useEngineState((state) => state.tiles);
  const { t } = useTranslation(["grid", "common"]);
  const { groupName, sizeName } = useSizeNames();
  const name = sizeName(size);
  const [hasSafeArea, setHasSafeArea] = useState(false);
  const [isInSetting, setIsInSetting] = useState(false);
  const isToEdit = useRef(false);
  const popup = useRef<HTMLDivElement>(null);
  const at = sizes.findIndex(({ sizeId }) => sizeId === size.sizeId);
  const step = (by: number): void => onShow(sizes.at((at + by) % sizes.length)?.sizeId ?? size.sizeId);
  const filmstrip = (
    <ul className="grid grid-cols-5 place-items-center gap-2 max-lg:hidden">
      {sizes.map((one) => (
        <li key={one.sizeId}>
          <button
            type="button"
            aria-label={sizeName(one)}
            aria-current={one.sizeId === size.sizeId}
            onClick={() => onShow(one.sizeId)}
            className="relative block border border-line outline-offset-1 hover:border-ink aria-[current=true]:outline-2 aria-[current=true]:outline-accent"
            style={filmFrame(one)}
          >
            <span aria-hidden="true">
              <PictureCanvas
                picture={tiles.find(({ sizeId }) => sizeId === one.sizeId)?.drawing?.picture ?? null}
                alt=""
              />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
  const edit = (): void => {
    isToEdit.current = true;
    onEdit();
  };
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Popup
          ref={popup}
          initialFocus={popup}
          finalFocus={() => !isToEdit.current && tileButton(size.sizeId)}
          onKeyDown={({ key, target }) => {
            // In the time slider, arrow keys change the time.
            if (target instanceof HTMLInputElement) return;
            if (key === "ArrowLeft") step(-1);
            if (key === "ArrowRight") step(1);
          }}
          className="fixed inset-0 z-50 flex flex-col bg-paper text-ink scheme-dark outline-none"
        >
          <header className="flex items-center gap-1 border-b border-line py-2 pr-3 pl-4 sm:pl-5">
            <div className="mr-auto flex min-w-0 flex-col sm:flex-row sm:items-baseline sm:gap-2">
              <Dialog.Title className="truncate font-semibold">
                <span className="max-sm:sr-only">{groupName(size.group)} </span>
                {size.width} × {size.height}
              </Dialog.Title>
              <p className="truncate text-sm text-quiet tabular-nums max-sm:text-xs">
                <span className="sm:hidden">{groupName(size.group)} · </span>
                {t("zoom.position", { at: at + 1, count: sizes.length })}
              </p>
            </div>
            <IconButton
              icon={Smartphone}
              label={t(`place.${settingOf(size)}`)}
              isLabelShown
              aria-pressed={isInSetting}
              onClick={() => setIsInSetting(!isInSetting)}
            />
            {size.safeArea !== null && (
              <IconButton
                icon={ScanEye}
                label={t("safeArea")}
                isLabelShown
                aria-pressed={hasSafeArea}
                onClick={() => setHasSafeArea(!hasSafeArea)}
              />
            )}
            <Button onClick={edit}>
              <Pencil className="size-4" />
              <span className="max-sm:sr-only">{t("adjust")}</span>
            </Button>
            <IconButton icon={X} label={t("close", { ns: "common" })} onClick={onClose} />
          </header>
          <div className="relative flex min-h-0 flex-1 flex-col max-lg:overflow-y-auto lg:flex-row">
            <Enlarged
              key={size.sizeId}
              {...{ engine, size, name, tile, hasSafeArea, isInSetting, filmstrip }}
            >
              <IconButton
                icon={ChevronLeft}
                label={t("zoom.previous")}
                onClick={() => step(-1)}
                className={`${SIDE} left-3`}
              />
              <IconButton
                icon={ChevronRight}
                label={t("zoom.next")}
                onClick={() => step(1)}
                className={`${SIDE} right-3`}
              />
            </Enlarged>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const FILM_PX = 50;

/** Width and height of a thumbnail in the row of all sizes. */
const filmFrame = ({ width, height }: SizeInfo) => ({
  width: Math.max(12, FILM_PX * Math.min(1, width / height)),
  aspectRatio: `${width} / ${height}`,
});

const SIDE =
  "absolute! top-1/2 size-11! -translate-y-1/2 max-sm:top-auto max-sm:bottom-2 max-sm:translate-y-0 rounded-full! border border-line bg-card hover:border-ink";

/** Free space beside the picture for the previous and next buttons; on a phone they are below. */
const marginOf = ({ width }: Room): number => (width < 640 ? 16 : 64);

/** Width of the picture in CSS px: as large as the stage allows, but at most the size's own width. */
const widthIn = (room: Room, { width, height }: SizeInfo): number =>
  Math.max(
    1,
    Math.floor(
      Math.min(width, room.width - 2 * marginOf(room), ((room.height - marginOf(room)) * width) / height),
    ),
  );

interface EnlargedProps extends Pick<ZoomDialogProps, "engine" | "size" | "tile"> {
  readonly name: string;
  readonly hasSafeArea: boolean;
  readonly isInSetting: boolean;
  /** Row with thumbnails of all sizes. */
  readonly filmstrip: ReactNode;
  /** Previous and next buttons. */
  readonly children: ReactNode;
}

/** The picture on its stage, and the report beside it. */
function Enlarged(props: EnlargedProps) {
  const { engine, size, name, tile, hasSafeArea, isInSetting, filmstrip, children } = props;
  const { t } = useTranslation("grid");
  const isStill = useDraft(({ motion }) => motion === "static");
  const { altOf, faultWords } = useReportWords();
  const stage = useRef<HTMLDivElement>(null);
  const room = useRoom(stage);
  const width = room === null ? 1 : widthIn(room, size);
  const widthPx = Math.round(width * (window.devicePixelRatio || 1));
  const tileDrawing = tile?.drawing ?? null;
  const { drawing, fault } = useZoomed(engine, size.sizeId, widthPx, tileDrawing);
  const playback = usePlayback(engine, size.sizeId, widthPx, tileDrawing);
  const problem = fault ?? playback.fault;
  const picture = (
    <div
      className="relative w-full overflow-hidden"
      style={{ aspectRatio: `${size.width} / ${size.height}` }}
    >
      <PictureCanvas
        picture={playback.picture ?? drawing?.picture ?? null}
        alt={drawing === null ? t("alt.drawing", { name }) : altOf(name, drawing.layout)}
      />
      {hasSafeArea && <SafeAreaOverlay size={size} />}
    </div>
  );
  return (
    <>
      <div className="relative flex min-h-[70dvh] min-w-0 flex-1 flex-col lg:min-h-0">
        {problem !== null && (
          // Placed over the stage: beside it, the message would change the picture's width, which would clear the
          // fault.
          <p
            role="alert"
            className="pointer-events-none absolute inset-x-0 top-0 z-10 bg-paper/85 px-5 py-3 text-center text-sm text-red"
          >
            {faultWords(problem)}
          </p>
        )}
        <div ref={stage} className="min-h-0 flex-1 overflow-y-auto [scrollbar-gutter:stable_both-edges]">
          <div className="flex min-h-full items-center justify-center px-4 py-2 sm:px-16 sm:py-8">
            {isInSetting ? (
              <div className="w-full text-ink scheme-light">
                <NetworkMockup size={size}>{picture}</NetworkMockup>
              </div>
            ) : (
              <div className="shadow-2xl" style={{ width }}>
                {picture}
              </div>
            )}
          </div>
        </div>
        {children}
        <div className="mx-auto w-full max-w-md px-5 pb-4 max-sm:py-2">
          <Transport name={name} playback={playback} isStill={isStill} />
        </div>
      </div>
      <aside className="flex w-full shrink-0 flex-col gap-6 overflow-y-auto border-line bg-card p-4 max-lg:border-t lg:w-80 lg:border-l">
        {filmstrip}
        {drawing !== null && (
          <ZoomReport engine={engine} sizeId={size.sizeId} drawing={drawing} tileDrawing={tileDrawing} />
        )}
      </aside>
    </>
  );
}

/** Draws a size larger, and again whenever its tile is redrawn. Returns the last drawing until the new one is ready. */
function useZoomed(engine: Engine, sizeId: string, widthPx: number, tileDrawing: Drawing | null) {
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [fault, setFault] = useState<EngineFault | null>(null);
  // A new drawing of the tile means that the inputs changed.
  useEffect(() => {
    const stop = new AbortController();
    void engine.zoom(sizeId, widthPx, stop.signal).then((zoomed) => {
      if (stop.signal.aborted) return;
      if (zoomed.ok) setDrawing(zoomed.value);
      setFault(zoomed.ok ? null : zoomed.fault);
    });
    return () => stop.abort();
  }, [engine, sizeId, widthPx, tileDrawing]);
  return { drawing: drawing ?? tileDrawing, fault };
}

const percent = (part: number, whole: number): string => `${(part / whole) * 100}%`;

/** Areas that a network's controls cover, tinted over the picture. */
function SafeAreaOverlay({ size: { safeArea, width, height } }: Pick<EnlargedProps, "size">) {
  if (safeArea === null) return null;
  const [top, bottom] = [percent(safeArea.top, height), percent(safeArea.bottom, height)];
  const [left, right] = [percent(safeArea.left, width), percent(safeArea.right, width)];
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute border border-dashed border-red outline-[200vmax] outline-red/25"
      style={{ top, right, bottom, left }}
    />
  );
}
