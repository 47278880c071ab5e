import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import type { Playback } from "./use-playback.ts";

/** The narrowest transport that can be dragged, in CSS px. */
export const TRANSPORT_PX_MIN = 160;

/** What a key and the finest drag move by: the last digit of the time. */
const STEP_MS = 100;

const SHAPES = { play: "M4 2.5v11l9-5.5z", pause: "M4 3h3v10H4zM9 3h3v10H9z" } as const;

interface TransportProps {
  /** Of the size. */
  readonly name: string;
  readonly playback: Playback;
  /** Shows its scrubber only where a pointer or the focus is, and on touch screens. */
  readonly isQuiet?: boolean;
  /** While there is nothing to play. */
  readonly isDisabled?: boolean;
}

/** Plays and scrubs one size. Its end is the end card. */
export function Transport({ name, playback, isQuiet = false, isDisabled = false }: TransportProps) {
  const { t, i18n } = useTranslation("grid");
  const { ms, durationMs, isPlaying, toggle, seek } = playback;
  const seconds = new Intl.NumberFormat(i18n.language, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const times = { at: seconds.format(ms / 1_000), all: seconds.format(durationMs / 1_000) };
  const share = durationMs === 0 ? 1 : ms / durationMs;
  const shy =
    isQuiet && !isPlaying
      ? "opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
      : "";
  return (
    <div className="flex items-center gap-2">
      <button
        type="button"
        disabled={isDisabled}
        aria-label={t(isPlaying ? "motion.pause" : "motion.play", { name })}
        onClick={toggle}
        className="-ml-1.5 flex size-7 shrink-0 items-center justify-center rounded-full text-ink hover:bg-sunk disabled:opacity-40 pointer-coarse:size-10"
      >
        <svg viewBox="0 0 16 16" aria-hidden="true" className="size-3.5 fill-current">
          <path d={SHAPES[isPlaying ? "pause" : "play"]} />
        </svg>
      </button>
      <input
        type="range"
        disabled={isDisabled}
        min={0}
        max={durationMs}
        step={STEP_MS}
        value={ms}
        aria-label={t("motion.moment", { name })}
        aria-valuetext={t("motion.at", times)}
        onChange={(event) => seek(event.currentTarget.valueAsNumber)}
        style={{ "--share": share } as CSSProperties}
        className={`scrubber min-w-0 flex-1 ${shy}`}
      />
      <span aria-hidden="true" className={`shrink-0 text-xs text-quiet tabular-nums ${shy}`}>
        {t("motion.time", times)}
      </span>
    </div>
  );
}
