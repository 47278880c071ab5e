import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { share } from "#editor/files/keep-area.ts";
import { onArrow, placeOf } from "#editor/files/picture-pointer.tsx";
import type { Thread } from "./review.ts";

/** A point in a picture, as fractions of its width and height. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** If a pin is higher up than this fraction of the picture, its number is below its point. */
const EDGE = 0.1;
const NUMBER =
  "flex size-5 scheme-light items-center justify-center rounded-full text-xs font-semibold transition-transform data-active:scale-125 data-active:ring-2 data-active:ring-accent";
const PLACE = "absolute size-0";
const DOT = "absolute size-1.5 scheme-light -translate-1/2 rounded-full ring-2 ring-white";

const toneOf = (isResolved: boolean): string =>
  isResolved ? "bg-sunk text-quiet" : "bg-accent text-on-accent";

interface PinNumberProps {
  readonly number: number;
  readonly isResolved: boolean;
  readonly isActive?: boolean;
}

/** Number of a pinned comment, as shown on its picture. */
export function PinNumber({ number, isResolved, isActive = false }: PinNumberProps) {
  return (
    <span data-active={isActive || undefined} className={`shrink-0 ${NUMBER} ${toneOf(isResolved)}`}>
      {isResolved ? <Check aria-label={String(number)} className="size-3.5" /> : number}
    </span>
  );
}

interface PinsProps {
  readonly threads: readonly Thread[];
  /** Id of the comment under the pointer or with the focus. */
  readonly activeId?: string | null;
  readonly onActive?: (commentId: string | null) => void;
}

/** The numbered pins of a picture. Their comments are in the list beside it. */
export function Pins({ threads, activeId = null, onActive }: PinsProps) {
  return threads.map(({ comment: { commentId, pin, resolvedAt }, number }) =>
    pin === null || number === null ? null : (
      <span
        key={commentId}
        aria-hidden="true"
        className={`${PLACE} ${onActive === undefined ? "pointer-events-none" : ""}`}
        style={placeOf(pin)}
        onPointerEnter={() => onActive?.(commentId)}
        onPointerLeave={() => onActive?.(null)}
      >
        <span className={`${DOT} bg-accent`} />
        <span
          className={`absolute left-1.5 rounded-full shadow-md ring-2 ring-white ${pin.y < EDGE ? "top-1.5" : "bottom-1.5"}`}
        >
          <PinNumber number={number} isResolved={resolvedAt !== null} isActive={commentId === activeId} />
        </span>
      </span>
    ),
  );
}

/** The pin of an unsent comment; arrow keys move it. */
export function DraftPin({ at, onMove }: { readonly at: Point; readonly onMove: (at: Point) => void }) {
  const { t } = useTranslation("share");
  return (
    <button
      type="button"
      aria-label={t("pin.draft")}
      data-own-keys=""
      onKeyDown={onArrow((across, down) => onMove({ x: share(at.x + across), y: share(at.y + down) }))}
      className="absolute size-6 -translate-1/2 rounded-full border-2 border-white bg-amber/30 shadow-md"
      style={placeOf(at)}
    >
      <span className={`${DOT} bg-amber`} />
    </button>
  );
}
