import { Dialog } from "@base-ui/react/dialog";
import { useMediaQuery } from "@base-ui/react/unstable-use-media-query";
import { ArrowLeft, Maximize2, RotateCcw } from "lucide-react";
import { type RefObject, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { EngineFault } from "#engine/types.ts";
import { useReportWords } from "#report/use-report-words.ts";
import { Button } from "#ui/button.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import type { SizeInfo } from "#ui/size-tiles.tsx";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { clearOverride } from "../draft/edits.ts";
import { useSizeNames } from "../sizes/size-names.ts";
import { tileButton } from "./grid-keys.ts";
import { OwnFields } from "./own-fields.tsx";
import { PictureCanvas } from "./tile-card.tsx";
import { Transport } from "./transport.tsx";
import type { Playback } from "./use-playback.ts";

/** The edited size, and the place of its panel. */
export interface GridSelection {
  /** Element beside the grid that contains the panel. */
  readonly panel: RefObject<HTMLElement | null>;
  /** Null if no size is edited. */
  readonly selectedId: string | null;
  readonly onSelect: (sizeId: string | null) => void;
}

/** Whether the window is wide enough for form and grid side by side. */
export const useIsWide = (): boolean => useMediaQuery("(width >= 64rem)", { noSsr: true });

/** Height of the picture above the fields in CSS px. */
export const PICTURE_PX = 160;

interface SizePanelProps extends Pick<GridSelection, "panel"> {
  readonly size: SizeInfo;
  /** Picture above the fields while the grid is hidden; null for no picture. */
  readonly picture?: ImageData | null;
  readonly fault?: EngineFault | null;
  /** Null if the size cannot be played. */
  readonly playback?: Playback | null;
  /** Absent if there is no large view. */
  readonly onEnlarge?: () => void;
  readonly onClose: () => void;
}

/** Form for a size's overrides. It covers the pack's form or, in a narrow window, the page. */
export function SizePanel(props: SizePanelProps) {
  const { size, panel, picture = null, fault = null, playback = null, onEnlarge, onClose } = props;
  const { t } = useTranslation(["editor", "grid", "common"]);
  const { sizeName } = useSizeNames();
  const { faultWords } = useReportWords();
  const edit = useEdit();
  const isWide = useIsWide();
  const fields = useRef<HTMLDivElement>(null);
  const { sizeId } = size;
  const name = sizeName(size);
  const hasOwn = useDraft(({ overrides }) => overrides[sizeId] !== undefined);
  const pictureWidth = Math.min(320, (PICTURE_PX * size.width) / size.height);
  return (
    <Dialog.Root open modal={!isWide} disablePointerDismissal onOpenChange={onClose}>
      <Dialog.Portal container={panel}>
        <Dialog.Popup
          // On touch devices, do not focus a field: the keyboard would cover half the screen.
          initialFocus={() =>
            matchMedia("(pointer: coarse)").matches || fields.current?.querySelector("input")
          }
          finalFocus={() => tileButton(sizeId)}
          className="inset-0 z-40 flex flex-col border-line bg-card text-sm outline-none max-lg:fixed lg:absolute lg:border-r"
        >
          <div className="flex h-14 shrink-0 items-center gap-1 border-b border-line px-2">
            <Button kind="quiet" onClick={onClose}>
              <ArrowLeft className="-ml-2 size-4" /> {t("own.back")}
            </Button>
            <Dialog.Title className="mr-auto line-clamp-2 min-w-0 leading-tight font-semibold">
              {name}
            </Dialog.Title>
            {onEnlarge !== undefined && (
              <IconButton icon={Maximize2} label={t("zoom.open", { ns: "grid", name })} onClick={onEnlarge} />
            )}
          </div>
          {picture !== null && (
            <div className="flex shrink-0 justify-center border-b border-line bg-sunk p-3 lg:hidden">
              <div
                className="relative"
                style={{ width: pictureWidth, aspectRatio: `${size.width} / ${size.height}` }}
              >
                <PictureCanvas picture={picture} alt={name} />
              </div>
            </div>
          )}
          <div ref={fields} className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-4 py-4">
            {fault !== null && (
              <p role="alert" className="rounded-md bg-red-soft px-3 py-2 text-red">
                {faultWords(fault)}
              </p>
            )}
            {playback !== null && <Transport name={name} playback={playback} />}
            <p className="text-xs text-balance text-quiet">{t("own.lead")}</p>
            <OwnFields sizeId={sizeId} />
            {hasOwn && (
              <Button kind="link" onClick={() => edit((draft) => clearOverride(draft, sizeId))}>
                <RotateCcw className="size-4" /> {t("own.reset")}
              </Button>
            )}
          </div>
          <div className="grid shrink-0 border-t border-line px-4 py-3 lg:hidden">
            <Button kind="primary" onClick={onClose}>
              {t("sizes.done")}
            </Button>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
