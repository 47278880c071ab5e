import { Dialog } from "@base-ui/react/dialog";
import { ChevronLeft, ChevronRight, type LucideIcon, Pencil, ScanEye, Smartphone, X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Drawing, Engine, EngineFault, Tile } from "#engine/types.ts";
import { useReportWords } from "#report/use-report-words.ts";
import type { SizeInfo } from "#ui/size-tiles.tsx";
import { useSizeNames } from "../sizes/size-names.ts";
import { NetworkMockup, settingOf } from "./network-mockup.tsx";
import { PictureCanvas } from "./tile-card.tsx";
import { Transport } from "./transport.tsx";
import { tileButton } from "./use-grid-keys.ts";
import { usePlayback } from "./use-playback.ts";
import { type Room, useRoom } from "./use-room.ts";
import { ZoomReport } from "./zoom-report.tsx";

interface ZoomDialogProps {
  readonly engine: Engine;
  /** Those of the grid, in its reading order. */
  readonly sizes: readonly SizeInfo[];
  /** The one that is shown. */
  readonly size: SizeInfo;
  readonly tile: Tile | null;
  readonly onShow: (sizeId: string) => void;
  readonly onClose: () => void;
  /** To what this size has of its own. */
  readonly onEdit: () => void;
}

const BUTTON =
  "flex h-9 min-w-9 shrink-0 items-center justify-center gap-2 rounded-md px-2.5 text-sm hover:bg-sunk aria-pressed:bg-accent-soft aria-pressed:text-accent disabled:opacity-30";

const ROUND_BUTTON =
  "absolute top-1/2 flex size-11 -translate-y-1/2 items-center justify-center rounded-full border border-line bg-card hover:border-ink disabled:opacity-30";

/** One size over the whole window: its animation, its safe area, its place in a network, and its report. */
export function ZoomDialog({ engine, sizes, size, tile, onShow, onClose, onEdit }: ZoomDialogProps) {
  const { t } = useTranslation("grid");
  const { t: tCommon } = useTranslation();
  const { sizeName } = useSizeNames();
  const [hasSafeArea, setHasSafeArea] = useState(false);
  const [isInSetting, setIsInSetting] = useState(false);
  const isToEdit = useRef(false);
  const popup = useRef<HTMLDivElement>(null);
  const name = sizeName(size);
  const at = sizes.findIndex(({ sizeId }) => sizeId === size.sizeId);
  const step = (by: number) => () => {
    const next = sizes[at + by];
    if (next !== undefined) onShow(next.sizeId);
  };
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Popup
          ref={popup}
          initialFocus={popup}
          finalFocus={() => !isToEdit.current && tileButton(size.sizeId)}
          onKeyDown={({ key, target }) => {
            // Within the scrubber they move through time.
            if (target instanceof HTMLInputElement) return;
            if (key === "ArrowLeft") step(-1)();
            if (key === "ArrowRight") step(1)();
          }}
          className="fixed inset-0 z-50 flex flex-col bg-paper text-ink scheme-dark outline-none"
        >
          <header className="flex flex-wrap items-center gap-1 border-b border-line py-2 pr-3 pl-5">
            <Dialog.Title className="font-semibold">{name}</Dialog.Title>
            <p className="mr-auto ml-2 text-sm text-quiet tabular-nums">
              {t("zoom.position", { at: at + 1, count: sizes.length })}
            </p>
            <Toggle icon={Smartphone} isOn={isInSetting} onChange={setIsInSetting}>
              {t(`place.${settingOf(size)}`)}
            </Toggle>
            {size.safeArea !== null && (
              <Toggle icon={ScanEye} isOn={hasSafeArea} onChange={setHasSafeArea}>
                {t("safeArea")}
              </Toggle>
            )}
            <button
              type="button"
              onClick={() => {
                isToEdit.current = true;
                onEdit();
              }}
              className={BUTTON}
            >
              <Pencil aria-hidden="true" className="size-4" /> {t("adjust")}
            </button>
            <Dialog.Close aria-label={tCommon("close")} className={BUTTON}>
              <X aria-hidden="true" className="size-5" />
            </Dialog.Close>
          </header>
          <div className="relative flex min-h-0 flex-1 flex-col max-lg:overflow-y-auto lg:flex-row">
            <Enlarged
              key={size.sizeId}
              engine={engine}
              size={size}
              name={name}
              tile={tile}
              hasSafeArea={hasSafeArea}
              isInSetting={isInSetting}
            >
              <button
                type="button"
                aria-label={t("zoom.previous")}
                disabled={at === 0}
                onClick={step(-1)}
                className={`${ROUND_BUTTON} left-3`}
              >
                <ChevronLeft aria-hidden="true" className="size-6" />
              </button>
              <button
                type="button"
                aria-label={t("zoom.next")}
                disabled={at === sizes.length - 1}
                onClick={step(1)}
                className={`${ROUND_BUTTON} right-3`}
              >
                <ChevronRight aria-hidden="true" className="size-6" />
              </button>
            </Enlarged>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface ToggleProps {
  readonly icon: LucideIcon;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children: string;
}

const Toggle = ({ icon: Icon, isOn, onChange, children }: ToggleProps) => (
  <button type="button" aria-pressed={isOn} onClick={() => onChange(!isOn)} className={BUTTON}>
    <Icon aria-hidden="true" className="size-4" /> {children}
  </button>
);

/** Kept free at each side of the picture: for the buttons to the other sizes. */
const MARGIN_PX = 64;

/** Width of the picture in CSS px: as large as the stage lets it be, and no larger than it is. */
const widthIn = (room: Room, { width, height }: SizeInfo): number =>
  Math.max(
    1,
    Math.floor(Math.min(width, room.width - 2 * MARGIN_PX, ((room.height - MARGIN_PX) * width) / height)),
  );

interface EnlargedProps extends Pick<ZoomDialogProps, "engine" | "size" | "tile"> {
  readonly name: string;
  readonly hasSafeArea: boolean;
  readonly isInSetting: boolean;
  /** The buttons to the other sizes. */
  readonly children: ReactNode;
}

/** The picture on its stage, and the report beside it. */
function Enlarged({ engine, size, name, tile, hasSafeArea, isInSetting, children }: EnlargedProps) {
  const { t } = useTranslation("grid");
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
          <p role="alert" className="px-5 pt-3 text-center text-sm text-red">
            {faultWords(problem)}
          </p>
        )}
        <div ref={stage} className="min-h-0 flex-1 overflow-y-auto">
          <div className="flex min-h-full items-center justify-center px-16 py-8">
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
        <div className="mx-auto w-full max-w-md px-5 pb-4">
          <Transport name={name} playback={playback} />
        </div>
      </div>
      <aside className="w-full shrink-0 overflow-y-auto border-line bg-card p-5 max-lg:border-t lg:w-80 lg:border-l">
        {drawing !== null && (
          <ZoomReport engine={engine} sizeId={size.sizeId} drawing={drawing} tileDrawing={tileDrawing} />
        )}
      </aside>
    </>
  );
}

/** A size drawn larger, and redrawn whenever its tile is. The last drawing stays until then. */
function useZoomed(
  engine: Engine,
  sizeId: string,
  widthPx: number,
  tileDrawing: Drawing | null,
): { readonly drawing: Drawing | null; readonly fault: EngineFault | null } {
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

/** The edges that a network covers with its own buttons and texts, hatched over a picture. */
function SafeAreaOverlay({ size }: { readonly size: SizeInfo }) {
  const { safeArea, width, height } = size;
  if (safeArea === null) return null;
  const { top, right, bottom, left } = safeArea;
  const band = "absolute bg-red opacity-25";
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0">
      <div className={`${band} inset-x-0 top-0`} style={{ height: percent(top, height) }} />
      <div className={`${band} inset-x-0 bottom-0`} style={{ height: percent(bottom, height) }} />
      <div
        className={`${band} left-0`}
        style={{ top: percent(top, height), bottom: percent(bottom, height), width: percent(left, width) }}
      />
      <div
        className={`${band} right-0`}
        style={{ top: percent(top, height), bottom: percent(bottom, height), width: percent(right, width) }}
      />
      <div
        className="absolute border border-dashed border-red"
        style={{
          top: percent(top, height),
          right: percent(right, width),
          bottom: percent(bottom, height),
          left: percent(left, width),
        }}
      />
    </div>
  );
}
