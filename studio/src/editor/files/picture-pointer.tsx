import type { FocalPoint } from "creative-packs-service/renderer";
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from "react";

interface PicturePointerProps {
  readonly address: string;
  /** Called when the pointer is pressed on the picture or on a mark. */
  readonly onPress: (point: FocalPoint, target: EventTarget) => void;
  /** Called when the pressed pointer moves, even beyond the picture. */
  readonly onDrag: (point: FocalPoint) => void;
  readonly children: ReactNode;
}

/** A picture that reports pointer positions, as fractions (0 to 1) of its width and height. */
export function PicturePointer({ address, onPress, onDrag, children }: PicturePointerProps) {
  const pressed = useRef<number | null>(null);
  const pointOf = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLDivElement>): FocalPoint => {
    const box = currentTarget.getBoundingClientRect();
    return { x: (clientX - box.left) / box.width, y: (clientY - box.top) / box.height };
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    pressed.current = event.pointerId;
    onPress(pointOf(event), event.target);
  };
  return (
    <div
      onPointerDown={onPointerDown}
      onPointerMove={(event) => event.pointerId === pressed.current && onDrag(pointOf(event))}
      onLostPointerCapture={() => {
        pressed.current = null;
      }}
      className="relative mx-auto w-fit cursor-crosshair touch-none overflow-hidden rounded-md border border-line bg-white select-none"
    >
      <img src={address} alt="" draggable={false} className="block max-h-[60dvh] max-w-full" />
      {children}
    </div>
  );
}

const STEP = 0.01;
const LONG_STEP = 0.1;
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Handles arrow keys, which move a mark by a hundredth of the picture, or with Shift by a tenth. */
export const onArrow = (move: (across: number, down: number) => void) => (event: KeyboardEvent) => {
  const [across, down] = MOVES[event.key] ?? [0, 0];
  if (across === 0 && down === 0) return;
  event.preventDefault();
  const step = event.shiftKey ? LONG_STEP : STEP;
  move(across * step, down * step);
};

/** CSS position of a point on a picture. */
export const placeOf = ({ x, y }: FocalPoint) => ({ left: `${100 * x}%`, top: `${100 * y}%` });
