import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { FocalPoint as Point } from "../../../../src/renderer/types.ts";
import { arrowMove } from "./arrow-moves.ts";

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
  const frame = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const shown = point ?? start;

  const moveTo = ({ clientX, clientY }: PointerEvent): void => {
    const box = frame.current?.getBoundingClientRect();
    if (box === undefined) return;
    onChange({ x: share((clientX - box.left) / box.width), y: share((clientY - box.top) / box.height) });
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    handle.current?.focus();
    moveTo(event);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = arrowMove(event);
    if (move === null) return;
    event.preventDefault();
    onChange({ x: share(shown.x + move[0]), y: share(shown.y + move[1]) });
  };

  return (
    <div
      ref={frame}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => event.buttons > 0 && moveTo(event)}
      className="relative mx-auto w-fit cursor-crosshair touch-none overflow-hidden rounded-md border border-line bg-white select-none"
    >
      <img src={address} alt="" draggable={false} className="block max-h-[60dvh] max-w-full" />
      <button
        ref={handle}
        type="button"
        aria-label={t("focal.handle", { x: percent(shown.x), y: percent(shown.y) })}
        onKeyDown={onKeyDown}
        style={{ left: `${100 * shown.x}%`, top: `${100 * shown.y}%` }}
        className={`absolute size-9 -translate-x-1/2 -translate-y-1/2 rounded-full border-4 border-white shadow-[0_0_0_2px_#000,inset_0_0_0_2px_#000] ${point === null ? "opacity-60" : "bg-accent/40"}`}
      />
    </div>
  );
}
