import { Popover } from "@base-ui/react/popover";
import { Maximize2, RotateCcw, X } from "lucide-react";
import { useRef } from "react";
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
import { Transport } from "./transport.tsx";
import type { Playback } from "./use-playback.ts";

/** Which size has the panel. */
export interface GridSelection {
  /** Null for none. */
  readonly selectedId: string | null;
  readonly onSelect: (sizeId: string | null) => void;
}

interface SizePanelProps {
  readonly size: SizeInfo;
  readonly fault?: EngineFault | null;
  /** Null where it does not play. */
  readonly playback?: Playback | null;
  /** Absent where there is no large view. */
  readonly onEnlarge?: () => void;
  readonly onClose: () => void;
}

/** Of the window's edges, and of the bars at its top and bottom, in CSS px. */
const CLEAR_OF_BARS = { top: 60, bottom: 84, left: 12, right: 12 };

/** Whether the focus or a press goes to a tile: that takes the panel over, or enlarges the size. */
function isOnTile({ reason, event }: Popover.Root.ChangeEventDetails): boolean {
  if (reason !== "focus-out" && reason !== "outside-press") return false;
  const target = event instanceof FocusEvent ? event.relatedTarget : event.target;
  return target instanceof Element && target.closest("[data-size-id]") !== null;
}

/** Beside a tile, what its size has of its own: texts, layout, crop. Everything else follows the pack. */
export function SizePanel({ size, fault = null, playback = null, onEnlarge, onClose }: SizePanelProps) {
  const { t } = useTranslation(["editor", "grid", "common"]);
  const { sizeName } = useSizeNames();
  const { faultWords } = useReportWords();
  const edit = useEdit();
  const fields = useRef<HTMLDivElement>(null);
  const { sizeId } = size;
  const name = sizeName(size);
  const hasOwn = useDraft(({ overrides }) => overrides[sizeId] !== undefined);
  return (
    <Popover.Root open onOpenChange={(_, details) => isOnTile(details) || onClose()}>
      <Popover.Portal>
        <Popover.Positioner
          anchor={() => tileButton(sizeId)}
          side="right"
          align="start"
          sideOffset={12}
          collisionPadding={CLEAR_OF_BARS}
          className="z-40 max-sm:fixed! max-sm:inset-x-0! max-sm:top-auto! max-sm:bottom-0! max-sm:transform-none!"
        >
          <Popover.Popup
            // A finger gets no keyboard over half of its screen before it asks for one.
            initialFocus={() =>
              matchMedia("(pointer: coarse)").matches || fields.current?.querySelector("input")
            }
            finalFocus={() => tileButton(sizeId)}
            className="flex max-h-[min(38rem,var(--available-height))] w-80 flex-col rounded-xl border border-line bg-card text-sm shadow-2xl outline-none max-sm:max-h-[60dvh] max-sm:w-full max-sm:rounded-b-none"
          >
            <div className="flex items-center gap-1 border-b border-line py-2 pr-2 pl-4">
              <Popover.Title className="mr-auto min-w-0 truncate font-semibold">{name}</Popover.Title>
              {onEnlarge !== undefined && (
                <IconButton
                  icon={Maximize2}
                  label={t("zoom.open", { ns: "grid", name })}
                  onClick={onEnlarge}
                />
              )}
              <IconButton icon={X} label={t("close", { ns: "common" })} onClick={onClose} />
            </div>
            <div ref={fields} className="flex flex-col gap-3 overflow-y-auto px-4 pt-3 pb-4">
              {fault !== null && (
                <p role="alert" className="rounded-md bg-red-soft px-3 py-2 text-red">
                  {faultWords(fault)}
                </p>
              )}
              {playback !== null && <Transport name={name} playback={playback} />}
              <p className="text-xs text-quiet">{t("own.lead")}</p>
              <OwnFields sizeId={sizeId} />
              {hasOwn && (
                <Button kind="quiet" onClick={() => edit((draft) => clearOverride(draft, sizeId))}>
                  <RotateCcw className="size-4" /> {t("own.reset")}
                </Button>
              )}
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
