import type { FocalPoint as Point } from "creative-packs-service/renderer";
import { type KeyboardEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { arrowMove, PointedPicture } from "./pointed-picture.tsx";

interface FocalPointProps {
  /** Of the picture. */
  readonly address: string;
  /** Null while it is automatic. */
  readonly point: Point | null;
  /** Where the mark waits while it is automatic. */
  readonly start: Point;
  readonly onChange: (point: Point) => void;
}

/** A thousandth of a picture is finer than a hand. */
const share = (value: number): number => Math.round(1_000 * Math.min(1, Math.max(0, value))) / 1_000;
const percent = (value: number): number => Math.round(100 * value);

/** A picture with the point that is to stay in sight: dragged, clicked, or moved with the arrow keys. */
export function FocalPoint({ address, point, start, onChange }: FocalPointProps) {
  const { t } = useTranslation("editor");
  const handle = useRef<HTMLButtonElement>(null);
  const shown = point ?? start;

  const moveTo = ({ x, y }: Point): void => onChange({ x: share(x), y: share(y) });
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = arrowMove(event);
    if (move === null) return;
    event.preventDefault();
    moveTo({ x: shown.x + move[0], y: shown.y + move[1] });
  };

  return (
    <PointedPicture
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
        onKeyDown={onKeyDown}
        style={{ left: `${100 * shown.x}%`, top: `${100 * shown.y}%` }}
        className={`absolute size-9 -translate-x-1/2 -translate-y-1/2 rounded-full border-4 border-white shadow-[0_0_0_2px_#000,inset_0_0_0_2px_#000] ${point === null ? "opacity-60" : "bg-accent/40"}`}
      />
    </PointedPicture>
  );
}
