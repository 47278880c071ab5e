import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Wall, WallTile } from "#drawing/types.ts";
import { Button } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { NetworkChrome } from "./network-chrome.tsx";
import { PictureCanvas } from "./picture-canvas.tsx";
import { placeOf } from "./place-of.ts";
import { SafeAreaOverlay } from "./safe-area-overlay.tsx";
import type { WallSizeInfo } from "./tile-size.ts";
import { usePlayback } from "./use-playback.ts";
import { useReportWords } from "./use-report-words.ts";
import { useZoomed } from "./use-zoomed.ts";
import { ZoomReport } from "./zoom-report.tsx";

interface ZoomDialogProps {
  readonly wall: Wall;
  readonly size: WallSizeInfo;
  readonly name: string;
  readonly tile: WallTile | null;
  readonly onClose: () => void;
  /** To what this size has of its own. */
  readonly onAdjust: () => void;
}

/** The most of the window's height that a picture takes. */
const HEIGHT_SHARE = 0.74;

/** Width of the picture in CSS px: as large as the window lets it be, and no larger than it is. */
function widthOf({ width, height }: WallSizeInfo): number {
  const room = { width: window.innerWidth - 64, height: window.innerHeight * HEIGHT_SHARE };
  return Math.max(1, Math.floor(Math.min(width, room.width, (room.height * width) / height)));
}

/** One size, large: its animation, its safe area, its place in a network, and what is to be said of it. */
export function ZoomDialog({ wall, size, name, tile, onClose, onAdjust }: ZoomDialogProps) {
  const { t } = useTranslation("wall");
  const { altOf, faultWords } = useReportWords();
  const [hasSafeArea, setHasSafeArea] = useState(false);
  const [isInPlace, setIsInPlace] = useState(false);
  const [width] = useState(() => widthOf(size));
  const widthPx = Math.round(width * (window.devicePixelRatio || 1));
  const tileDrawing = tile?.drawing ?? null;
  const { drawing, fault } = useZoomed(wall, size.sizeId, widthPx, tileDrawing);
  const playback = usePlayback(wall, size.sizeId, widthPx, tileDrawing);
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
            <Button onClick={playback.toggle} aria-pressed={playback.isPlaying}>
              <span aria-hidden="true">{playback.isPlaying ? "❚❚" : "▶"}</span>
              {t(playback.isPlaying ? "pause" : "play")}
            </Button>
            <Button onClick={onAdjust}>{t("adjust")}</Button>
            <Checkbox isChecked={isInPlace} onChange={setIsInPlace}>
              {t(`place.${placeOf(size)}`)}
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
          {isInPlace ? (
            <NetworkChrome size={size}>{picture}</NetworkChrome>
          ) : (
            <div className="mx-auto max-w-full border border-line" style={{ width }}>
              {picture}
            </div>
          )}
        </div>
        <div className="w-full shrink-0 lg:w-72">
          {drawing !== null && (
            <ZoomReport wall={wall} sizeId={size.sizeId} drawing={drawing} tileDrawing={tileDrawing} />
          )}
        </div>
      </div>
    </Dialog>
  );
}
