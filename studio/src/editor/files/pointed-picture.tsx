import type { FocalPoint } from "creative-packs-service/renderer";
import { type PointerEvent, type ReactNode, useRef } from "react";

interface PointedPictureProps {
  /** Of the picture. */
  readonly address: string;
  /** A pointer was pressed on the picture, or on one of the marks that stand on it. */
  readonly onPress: (point: FocalPoint, target: EventTarget) => void;
  /** A pointer that was pressed here has moved, maybe beyond the edges. */
  readonly onDrag: (point: FocalPoint) => void;
  /** Marks on it. */
  readonly children: ReactNode;
}

/** A picture to be pointed at. Points are in shares of it: 0..1 from the left and from the top. */
export function PointedPicture({ address, onPress, onDrag, children }: PointedPictureProps) {
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
