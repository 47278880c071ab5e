import { useQuery } from "@tanstack/react-query";
import type { Box, Placement, FocalPoint as Point } from "creative-packs-service/renderer";
import type { SlotId } from "creative-packs-service/slots";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { useBlobUrl } from "#ui/use-blob-url.ts";
import type { DraftFile } from "../draft/draft.ts";
import { useDraftId } from "../draft/editor-store.ts";
import { fileQuery } from "../draft/file-bytes.ts";
import { Choices } from "../style/choices.tsx";
import { usePictureFacts } from "../use-engine.ts";
import { areaAround, middleOf, moved, resized, share, spanned } from "./keep-area.ts";
import { onArrow, PicturePointer, placeOf } from "./picture-pointer.tsx";

interface FocalPointDialogProps {
  readonly slot: SlotId;
  readonly file: DraftFile;
  readonly title: string;
  readonly placement: Placement | undefined;
  readonly onClose: () => void;
  /** Null restores the automatic placement. */
  readonly onChange: (placement: Placement | null) => void;
}

const MIDDLE = { x: 0.5, y: 0.5 };

/** Sets a picture's focal point, or the area to show whole, on the picture. */
export function FocalPointDialog(props: FocalPointDialogProps) {
  const { slot, file, title, placement, onClose, onChange } = props;
  const { t } = useTranslation("editor");
  const { data } = useQuery(fileQuery(useDraftId(), file.sha256));
  const address = useBlobUrl(data?.thumbnail ?? data?.bytes ?? null);
  const start = usePictureFacts(slot)?.focalPoint ?? MIDDLE;
  const keep = placement !== undefined && "keep" in placement ? placement.keep : null;
  const point = placement !== undefined && "focalPoint" in placement ? placement.focalPoint : null;
  return (
    <Dialog title={`${title}: ${file.name}`} isOpen onClose={onClose} width="wide">
      <div className="flex flex-col gap-4">
        <Choices
          label={t("focal.kind")}
          value={keep === null ? "point" : "area"}
          options={[
            { value: "point", text: t("focal.kinds.point"), hint: t("focal.hints.point") },
            { value: "area", text: t("focal.kinds.area"), hint: t("focal.hints.area") },
          ]}
          onChange={(kind) =>
            onChange(
              kind === "area"
                ? { keep: areaAround(point ?? start) }
                : { focalPoint: keep === null ? start : middleOf(keep) },
            )
          }
        />
        <p className="text-sm text-quiet">{keep === null ? t("focal.lead") : t("focal.keep")}</p>
        {address !== null &&
          (keep === null ? (
            <PointField
              address={address}
              point={point}
              start={start}
              onChange={(focalPoint) => onChange({ focalPoint })}
            />
          ) : (
            <AreaField address={address} area={keep} onChange={(area) => onChange({ keep: area })} />
          ))}
        {placement === undefined && <p className="text-sm text-quiet">{t("focal.isAutomatic")}</p>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button disabled={placement === undefined} onClick={() => onChange(null)}>
            {t("focal.automatic")}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {t("focal.done")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface PointFieldProps {
  readonly address: string;
  /** Null for automatic placement. */
  readonly point: Point | null;
  /** Position of the handle while the placement is automatic. */
  readonly start: Point;
  readonly onChange: (point: Point) => void;
}

const percent = (value: number): number => Math.round(100 * value);

/** A picture with its focal point, set by dragging, clicking or the arrow keys. */
function PointField({ address, point, start, onChange }: PointFieldProps) {
  const { t } = useTranslation("editor");
  const handle = useRef<HTMLButtonElement>(null);
  const shown = point ?? start;

  const moveTo = ({ x, y }: Point): void => onChange({ x: share(x), y: share(y) });
  return (
    <PicturePointer
      address={address}
      onPress={(pressed) => {
        handle.current?.focus();
        moveTo(pressed);
      }}
      onDrag={moveTo}
    >
      <button
        ref={handle}
        type="button"
        aria-label={t("focal.handle", { x: percent(shown.x), y: percent(shown.y) })}
        onKeyDown={onArrow((across, down) => moveTo({ x: shown.x + across, y: shown.y + down }))}
        style={placeOf(shown)}
        className={`absolute size-9 -translate-x-1/2 -translate-y-1/2 rounded-full border-4 border-white shadow-[0_0_0_2px_#000,inset_0_0_0_2px_#000] ${point === null ? "opacity-60" : "bg-accent/40"}`}
      />
    </PicturePointer>
  );
}

interface AreaFieldProps {
  readonly address: string;
  readonly area: Box;
  readonly onChange: (area: Box) => void;
}

/** A drag that draws or resizes the area (`span`), or moves it (`move`). */
type Drag = { readonly kind: "span"; readonly from: Point } | { readonly kind: "move"; readonly last: Point };

/**
 * A picture with the area to show whole. Drag beside the area to draw a new one, inside to move it, at its corner to
 * resize it; arrow keys move the area and its corner.
 */
function AreaField({ address, area, onChange }: AreaFieldProps) {
  const { t } = useTranslation("editor");
  const body = useRef<HTMLButtonElement>(null);
  const corner = useRef<HTMLButtonElement>(null);
  const drag = useRef<Drag | null>(null);

  const press = (point: Point, target: EventTarget): void => {
    const isCorner = target === corner.current;
    if (target === body.current) drag.current = { kind: "move", last: point };
    else drag.current = { kind: "span", from: isCorner ? { x: area.x, y: area.y } : point };
    (isCorner ? corner : body).current?.focus();
  };
  const dragTo = (point: Point): void => {
    const { current } = drag;
    if (current?.kind === "span") onChange(spanned(current.from, point));
    if (current?.kind !== "move") return;
    drag.current = { kind: "move", last: point };
    onChange(moved(area, point.x - current.last.x, point.y - current.last.y));
  };
  const onKey = (change: typeof moved) => onArrow((across, down) => onChange(change(area, across, down)));

  const shares = {
    x: percent(area.x),
    y: percent(area.y),
    width: percent(area.width),
    height: percent(area.height),
  };
  return (
    <PicturePointer address={address} onPress={press} onDrag={dragTo}>
      <button
        ref={body}
        type="button"
        aria-label={t("focal.area", shares)}
        onKeyDown={onKey(moved)}
        className="absolute cursor-move border-2 border-white shadow-[0_0_0_2px_#000,0_0_0_200vmax_rgb(0_0_0/0.45)]"
        style={{ ...placeOf(area), width: `${100 * area.width}%`, height: `${100 * area.height}%` }}
      />
      <button
        ref={corner}
        type="button"
        aria-label={t("focal.corner", shares)}
        onKeyDown={onKey(resized)}
        style={placeOf({ x: area.x + area.width, y: area.y + area.height })}
        className="absolute size-7 -translate-x-full -translate-y-full cursor-nwse-resize rounded-tl-md border-2 border-white bg-black/60"
      />
    </PicturePointer>
  );
}
