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

/** A drop whose tip, at its lower left, marks the point. */
const DROP =
  "flex size-6 items-center justify-center rounded-full rounded-bl-none text-xs font-semibold shadow-md ring-2 ring-white";
const PLACE = "absolute -translate-y-full";

const toneOf = (isResolved: boolean): string =>
  isResolved ? "bg-sunk text-quiet" : "bg-accent text-on-accent";

/** The number of a pinned comment, as on its picture. */
export function PinNumber({ number, isResolved }: { readonly number: number; readonly isResolved: boolean }) {
  return (
    <span className={`shrink-0 ${DROP} ${toneOf(isResolved)}`}>
      {isResolved ? <Check aria-label={String(number)} className="size-3.5" /> : number}
    </span>
  );
}

/** A picture's numbered pins; their comments are in the list beside it. */
export function Pins({ threads }: { readonly threads: readonly Thread[] }) {
  return threads.map(({ comment: { commentId, pin, resolvedAt }, number }) =>
    pin === null || number === null ? null : (
      <span
        key={commentId}
        aria-hidden="true"
        className={`pointer-events-none ${PLACE}`}
        style={placeOf(pin)}
      >
        <PinNumber number={number} isResolved={resolvedAt !== null} />
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
      className={`${PLACE} ${DROP} bg-amber text-white`}
      style={placeOf(at)}
    >
      +
    </button>
  );
}
