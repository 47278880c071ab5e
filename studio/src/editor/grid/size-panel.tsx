import { Popover } from "@base-ui/react/popover";
import { Maximize2, RotateCcw, X } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { EngineFault } from "#engine/types.ts";
import { useReportWords } from "#report/use-report-words.ts";
import { Button } from "#ui/button.tsx";
import type { SizeInfo } from "#ui/size-tiles.tsx";
import { TEXT_FIELDS } from "../draft/draft.ts";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { clearOverride } from "../draft/edits.ts";
import { useSizeNames } from "../sizes/size-names.ts";
import { OwnDesign, OwnPlaces, OwnText } from "./own-fields.tsx";
import { Transport } from "./transport.tsx";
import { tileButton } from "./use-grid-keys.ts";
import type { Playback } from "./use-playback.ts";

interface SizePanelProps {
  readonly size: SizeInfo;
  readonly fault: EngineFault | null;
  /** Null where it does not play. */
  readonly playback: Playback | null;
  /** Null where there is no large view. */
  readonly onEnlarge: (() => void) | null;
  readonly onClose: () => void;
}

const FIRST = TEXT_FIELDS.slice(0, 3);
const FURTHER = TEXT_FIELDS.slice(3);

const ICON_BUTTON =
  "flex size-8 items-center justify-center rounded-md text-quiet hover:bg-sunk hover:text-ink";

/** Of the window's edges, and of the bars at its top and bottom, in CSS px. */
const CLEAR_OF_BARS = { top: 60, bottom: 84, left: 12, right: 12 };

const isOnTile = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("[data-size-id]") !== null;

/** Beside a tile, what its size has of its own: texts, layout, crop. Everything else follows the pack. */
export function SizePanel({ size, fault, playback, onEnlarge, onClose }: SizePanelProps) {
  const { t } = useTranslation("editor");
  const { t: tGrid } = useTranslation("grid");
  const { t: tCommon } = useTranslation();
  const { sizeName } = useSizeNames();
  const { faultWords } = useReportWords();
  const edit = useEdit();
  const first = useRef<HTMLDivElement>(null);
  const { sizeId } = size;
  const name = sizeName(size);
  const hasOwn = useDraft(({ overrides }) => overrides[sizeId] !== undefined);
  const hasFurther = useDraft(({ texts, overrides }) =>
    FURTHER.some((field) => (overrides[sizeId]?.texts[field] ?? texts[field]) !== ""),
  );
  return (
    <Popover.Root
      open
      onOpenChange={(_, { reason, event }) => {
        // Another tile takes the panel over; a second press on the same one enlarges it.
        const target =
          reason === "focus-out" && "relatedTarget" in event ? event.relatedTarget : event.target;
        if (!(reason === "focus-out" || reason === "outside-press") || !isOnTile(target as EventTarget))
          onClose();
      }}
    >
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
              matchMedia("(pointer: coarse)").matches || first.current?.querySelector<HTMLElement>("input")
            }
            finalFocus={() => tileButton(sizeId)}
            className="flex max-h-[min(38rem,var(--available-height))] w-80 flex-col rounded-xl border border-line bg-card text-sm shadow-2xl outline-none max-sm:max-h-[60dvh] max-sm:w-full max-sm:rounded-b-none"
          >
            <div className="flex items-center gap-1 border-b border-line py-2 pr-2 pl-4">
              <Popover.Title className="mr-auto min-w-0 truncate font-semibold">{name}</Popover.Title>
              {onEnlarge !== null && (
                <button
                  type="button"
                  aria-label={tGrid("zoom.open", { name })}
                  onClick={onEnlarge}
                  className={ICON_BUTTON}
                >
                  <Maximize2 aria-hidden="true" className="size-4" />
                </button>
              )}
              <Popover.Close aria-label={tCommon("close")} className={ICON_BUTTON}>
                <X aria-hidden="true" className="size-4" />
              </Popover.Close>
            </div>
            <div className="flex flex-col gap-4 overflow-y-auto px-4 pt-3 pb-4">
              {fault !== null && (
                <p role="alert" className="rounded-md bg-red-soft px-3 py-2 text-red">
                  {faultWords(fault)}
                </p>
              )}
              {playback !== null && <Transport name={name} playback={playback} />}
              <p className="text-xs text-quiet">{t("own.lead")}</p>
              <div ref={first} className="flex flex-col gap-3">
                {FIRST.map((field) => (
                  <OwnText key={field} sizeId={sizeId} field={field} />
                ))}
                <details open={hasFurther || undefined}>
                  <summary className="cursor-pointer py-1 font-medium">{t("copy.more")}</summary>
                  <div className="flex flex-col gap-3 pt-2">
                    {FURTHER.map((field) => (
                      <OwnText key={field} sizeId={sizeId} field={field} />
                    ))}
                  </div>
                </details>
              </div>
              <OwnDesign sizeId={sizeId} />
              <OwnPlaces sizeId={sizeId} />
              {hasOwn && (
                <Button kind="quiet" onClick={() => edit((draft) => clearOverride(draft, sizeId))}>
                  <RotateCcw aria-hidden="true" className="size-4" /> {t("own.reset")}
                </Button>
              )}
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
