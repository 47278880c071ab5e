import type { Box, FocalPoint } from "creative-packs-service/renderer";
import { type KeyboardEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { moved, resized, spanned } from "./keep-area.ts";
import { arrowMove, PointedPicture } from "./pointed-picture.tsx";

interface AreaFieldProps {
  /** Of the picture. */
  readonly address: string;
  readonly area: Box;
  readonly onChange: (area: Box) => void;
}

/** What a pointer does while it is down: draws a new area, moves the area or a corner of it. */
type Drag =
  | { readonly kind: "span"; readonly from: FocalPoint }
  | { readonly kind: "move"; readonly last: FocalPoint };

const percent = (value: number): number => Math.round(100 * value);

/**
 * A picture with the area that is to be shown whole: drawn anew beside the area, dragged, or drawn larger at its corner; the
 * arrow keys move the area and its corner.
 */
export function AreaField({ address, area, onChange }: AreaFieldProps) {
  const { t } = useTranslation("editor");
  const body = useRef<HTMLButtonElement>(null);
  const corner = useRef<HTMLButtonElement>(null);
  const drag = useRef<Drag | null>(null);

  const press = (point: FocalPoint, target: EventTarget): void => {
    const isCorner = target === corner.current;
    if (target === body.current) drag.current = { kind: "move", last: point };
    else drag.current = { kind: "span", from: isCorner ? { x: area.x, y: area.y } : point };
    (isCorner ? corner : body).current?.focus();
  };
  const dragTo = (point: FocalPoint): void => {
    const { current } = drag;
    if (current?.kind === "span") onChange(spanned(current.from, point));
    if (current?.kind !== "move") return;
    drag.current = { kind: "move", last: point };
    onChange(moved(area, point.x - current.last.x, point.y - current.last.y));
  };
  const onKey = (change: typeof moved) => (event: KeyboardEvent) => {
    const move = arrowMove(event);
    if (move === null) return;
    event.preventDefault();
    onChange(change(area, move[0], move[1]));
  };

  const shares = {
    x: percent(area.x),
    y: percent(area.y),
    width: percent(area.width),
    height: percent(area.height),
  };
  return (
    <PointedPicture address={address} onPress={press} onDrag={dragTo}>
      <button
        ref={body}
        type="button"
        aria-label={t("focal.area", shares)}
        onKeyDown={onKey(moved)}
        className="absolute cursor-move border-2 border-white shadow-[0_0_0_2px_#000,0_0_0_200vmax_rgb(0_0_0/0.45)]"
        style={{
          left: `${100 * area.x}%`,
          top: `${100 * area.y}%`,
          width: `${100 * area.width}%`,
          height: `${100 * area.height}%`,
        }}
      />
      <button
        ref={corner}
        type="button"
        aria-label={t("focal.corner", shares)}
        onKeyDown={onKey(resized)}
        style={{ left: `${100 * (area.x + area.width)}%`, top: `${100 * (area.y + area.height)}%` }}
        className="absolute size-7 -translate-x-full -translate-y-full cursor-nwse-resize rounded-tl-md border-2 border-white bg-black/60"
      />
    </PointedPicture>
  );
}
