import { Keyboard, Minus, Plus } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Checkbox } from "#ui/checkbox.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { Popover } from "#ui/popover.tsx";
import { useShortcuts } from "./grid-keys.ts";
import { zoomStep } from "./pack-tiles.ts";

interface GridToolbarProps {
  readonly scale: number;
  /** Whether the scale is chosen to fit the window. */
  readonly isFit: boolean;
  /** Whether a size is being edited, which Escape ends. */
  readonly isEditing: boolean;
  /** Null fits the grid into the window. */
  readonly onZoom: (scale: number | null) => void;
}

const KEYS = ["grid", "order", "move", "edit", "enlarge", "zoom", "fit", "list"] as const;

interface ShortcutsProps {
  /** Additional shortcuts of this grid. */
  readonly own: Parameters<typeof useShortcuts>[0];
  readonly names: readonly (typeof KEYS)[number][];
}

/** Enables the single-key shortcuts, and shows a button with their list. */
export function Shortcuts({ own, names }: ShortcutsProps) {
  const { t } = useTranslation("grid");
  const [areKeysOn, setKeysOn] = useShortcuts(own);
  return (
    <Popover
      title={t("keys.title")}
      buttonStyle="flex h-9 items-center rounded-md px-2 max-lg:hidden"
      text={<Keyboard data-key-list role="img" aria-label={t("keys.title")} className="size-4" />}
    >
      <ul className="flex flex-col gap-1.5 text-sm text-quiet">
        {names.map((key) => (
          <li key={key}>
            <kbd className="mr-2 rounded border border-line bg-sunk px-1.5 font-sans text-ink">
              {t(`keys.${key}.key`)}
            </kbd>
            {t(`keys.${key}.text`)}
          </li>
        ))}
      </ul>
      <Checkbox isChecked={areKeysOn} onChange={setKeysOn}>
        {t("keys.on")}
      </Checkbox>
    </Popover>
  );
}

/** Editing hint, zoom and shortcuts. */
export const GridToolbar = memo(({ scale, isFit, isEditing, onZoom }: GridToolbarProps) => {
  const { t } = useTranslation("grid");
  const percent = t("view.percent", { percent: scale });
  const zoomIn = () => onZoom(zoomStep(scale, true));
  const zoomOut = () => onZoom(zoomStep(scale, false));
  const own = { "+": zoomIn, "=": zoomIn, "-": zoomOut, "0": () => onZoom(null) };
  return (
    <div className="flex h-11 shrink-0 items-center px-1.5 sm:px-3">
      <p className="mr-auto truncate px-2 text-xs text-quiet max-sm:invisible">
        {t(isEditing ? "view.escape" : "view.hint")}
      </p>
      <IconButton icon={Minus} label={t("view.out")} onClick={zoomOut} />
      <button
        type="button"
        aria-pressed={isFit}
        onClick={() => onZoom(isFit ? 1 : null)}
        className="h-8 px-1 text-xs font-medium whitespace-nowrap tabular-nums"
      >
        {isFit ? t("view.fit", { percent }) : percent} <span className="sr-only">{t("view.fitAll")}</span>
      </button>
      <IconButton icon={Plus} label={t("view.in")} onClick={zoomIn} />
      <Shortcuts own={own} names={KEYS} />
    </div>
  );
});
