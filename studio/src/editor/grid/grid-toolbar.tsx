import { Minus, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { zoomStep } from "./pack-tiles.ts";
import { ShortcutList } from "./shortcut-list.tsx";
import { useShortcuts } from "./use-shortcuts.ts";

interface GridToolbarProps {
  readonly scale: number;
  /** Whether the scale follows the window. */
  readonly isFit: boolean;
  /** Null fits the window. */
  readonly onZoom: (scale: number | null) => void;
  /** While there is nothing to see. */
  readonly isDisabled: boolean;
}

const BUTTON =
  "flex h-8 min-w-8 items-center justify-center rounded-md px-2 text-xs font-medium tabular-nums hover:bg-card disabled:opacity-40";

/** How to edit a size, the zoom, and the keys. */
export function GridToolbar({ scale, isFit, onZoom, isDisabled }: GridToolbarProps) {
  const { t } = useTranslation("grid");
  const percent = t("view.percent", { percent: Math.round(100 * scale) });
  const step = (direction: "in" | "out") => () => onZoom(zoomStep(scale, direction));
  const [areKeysOn, setKeysOn] = useShortcuts({
    "+": step("in"),
    "=": step("in"),
    "-": step("out"),
    "0": () => onZoom(null),
  });
  return (
    <div className="flex h-11 shrink-0 items-center gap-0.5 px-3">
      <p className="mr-auto truncate px-2 text-xs text-quiet">{isDisabled ? "" : t("view.hint")}</p>
      <button
        type="button"
        aria-label={t("view.out")}
        disabled={isDisabled}
        onClick={step("out")}
        className={BUTTON}
      >
        <Minus aria-hidden="true" className="size-4" />
      </button>
      <button
        type="button"
        aria-label={t("view.fitAt", { percent })}
        aria-pressed={isFit}
        disabled={isDisabled}
        onClick={() => onZoom(isFit ? 1 : null)}
        className={BUTTON}
      >
        {isFit ? t("view.fit", { percent }) : percent}
      </button>
      <button
        type="button"
        aria-label={t("view.in")}
        disabled={isDisabled}
        onClick={step("in")}
        className={BUTTON}
      >
        <Plus aria-hidden="true" className="size-4" />
      </button>
      <ShortcutList buttonStyle={BUTTON} areKeysOn={areKeysOn} onKeysOn={setKeysOn} />
    </div>
  );
}
