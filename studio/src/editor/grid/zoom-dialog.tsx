import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Drawing, Engine, EngineFault, Tile } from "#engine/types.ts";
import { useReportWords } from "#report/use-report-words.ts";
import { Button } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { Dialog } from "#ui/dialog.tsx";
import type { SizeInfo } from "#ui/size-tiles.tsx";
import { NetworkMockup, settingOf } from "./network-mockup.tsx";
import { PictureCanvas } from "./tile-card.tsx";
import { Transport } from "./transport.tsx";
import { usePlayback } from "./use-playback.ts";
import { ZoomReport } from "./zoom-report.tsx";

interface ZoomDialogProps {
  readonly engine: Engine;
  readonly size: SizeInfo;
  readonly name: string;
  readonly tile: Tile | null;
  readonly onClose: () => void;
  /** To what this size has of its own. */
  readonly onAdjust: () => void;
}

/** The most of the window's height that a picture takes. */
const HEIGHT_SHARE = 0.74;

/** Width of the picture in CSS px: as large as the window lets it be, and no larger than it is. */
function widthOf({ width, height }: SizeInfo): number {
  const room = { width: window.innerWidth - 64, height: window.innerHeight * HEIGHT_SHARE };
  return Math.max(1, Math.floor(Math.min(width, room.width, (room.height * width) / height)));
}

/** One size, large: its animation, its safe area, its place in a network, and what is to be said of it. */
export function ZoomDialog({ engine, size, name, tile, onClose, onAdjust }: ZoomDialogProps) {
  const { t } = useTranslation("grid");
  const { altOf, faultWords } = useReportWords();
  const [hasSafeArea, setHasSafeArea] = useState(false);
  const [isInSetting, setIsInSetting] = useState(false);
  const [width] = useState(() => widthOf(size));
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
    <Dialog title={name} isOpen onClose={onClose} width="full">
      <div className="flex flex-col gap-5 lg:flex-row">
        <div className="flex min-w-0 flex-1 flex-col gap-4">
          <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
            <Button onClick={onAdjust}>{t("adjust")}</Button>
            <Checkbox isChecked={isInSetting} onChange={setIsInSetting}>
              {t(`place.${settingOf(size)}`)}
            </Checkbox>
            {size.safeArea !== null && (
              <Checkbox isChecked={hasSafeArea} onChange={setHasSafeArea}>
                {t("safeArea")}
              </Checkbox>
            )}
          </div>
          {problem !== null && (
            <p role="alert" className="text-sm text-red">
              {faultWords(problem)}
            </p>
          )}
          {isInSetting ? (
            <NetworkMockup size={size}>{picture}</NetworkMockup>
          ) : (
            <div className="mx-auto max-w-full border border-line" style={{ width }}>
              {picture}
            </div>
          )}
          <div className="mx-auto w-full max-w-md">
            <Transport name={name} playback={playback} />
          </div>
        </div>
        <div className="w-full shrink-0 lg:w-72">
          {drawing !== null && (
            <ZoomReport engine={engine} sizeId={size.sizeId} drawing={drawing} tileDrawing={tileDrawing} />
          )}
        </div>
      </div>
    </Dialog>
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
