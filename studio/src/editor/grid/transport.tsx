import { Pause, Play } from "lucide-react";
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import { buttonStyle } from "#ui/button.tsx";
import type { Playback } from "./use-playback.ts";

/** Step of an arrow key and of dragging; the time is shown with this precision. */
const STEP_MS = 100;

interface TransportProps {
  readonly name: string;
  readonly playback: Playback;
  /** Whether the pack is static. Then only the play button is shown until it is pressed. */
  readonly isStill?: boolean;
}

/** Play button and time slider of one size. */
export function Transport({ name, playback, isStill = false }: TransportProps) {
  const { t, i18n } = useTranslation("grid");
  const { ms, durationMs, isPlaying, toggle, seek } = playback;
  const seconds = new Intl.NumberFormat(i18n.language, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const times = { at: seconds.format(ms / 1_000), all: seconds.format(durationMs / 1_000) };
  const share = durationMs === 0 ? 1 : ms / durationMs;
  const isShort = isStill && !isPlaying && ms === durationMs;
  const Icon = isPlaying ? Pause : Play;
  return (
    <div className="flex items-center justify-center gap-2 has-[input]:-ml-3.5">
      <button
        type="button"
        disabled={durationMs === 0}
        aria-label={isShort ? undefined : t(isPlaying ? "motion.pause" : "motion.play", { name })}
        onClick={toggle}
        className={buttonStyle("quiet")}
      >
        <Icon className="size-3.5 fill-current" />
        {isShort && t("motion.asMoving")}
      </button>
      {isShort || (
        <input
          type="range"
          disabled={durationMs === 0}
          min={0}
          max={durationMs}
          step={STEP_MS}
          value={ms}
          aria-label={t("motion.moment", { name })}
          aria-valuetext={t("motion.at", times)}
          onChange={(event) => seek(event.currentTarget.valueAsNumber)}
          style={{ "--share": share } as CSSProperties}
          className="scrubber min-w-0 flex-1"
        />
      )}
      <span aria-hidden="true" className="shrink-0 text-xs text-quiet tabular-nums empty:hidden">
        {isShort || t("motion.time", times)}
      </span>
    </div>
  );
}
