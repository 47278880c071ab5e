import { Popover } from "@base-ui/react/popover";
import { Keyboard } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Checkbox } from "#ui/checkbox.tsx";
import { KEY_LIST_ID } from "./use-shortcuts.ts";

const KEYS = [
  ["G", "grid"],
  ["O", "order"],
  ["← →", "move"],
  ["Enter", "edit"],
  ["Space", "enlarge"],
  ["+ −", "zoom"],
  ["0", "fit"],
  ["?", "list"],
] as const;

interface ShortcutListProps {
  readonly buttonStyle: string;
  readonly areKeysOn: boolean;
  readonly onKeysOn: (areOn: boolean) => void;
}

/** The keys of the editor, and a switch for those that are a single character. */
export function ShortcutList({ buttonStyle, areKeysOn, onKeysOn }: ShortcutListProps) {
  const { t } = useTranslation("grid");
  return (
    <Popover.Root>
      <Popover.Trigger
        id={KEY_LIST_ID}
        aria-label={t("keys.title")}
        className={`${buttonStyle} max-lg:hidden`}
      >
        <Keyboard aria-hidden="true" className="size-4" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} align="end" className="z-50">
          <Popover.Popup className="flex w-72 flex-col gap-3 rounded-lg border border-line bg-card p-4 text-sm shadow-xl outline-none">
            <Popover.Title className="font-semibold">{t("keys.title")}</Popover.Title>
            <dl className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1.5">
              {KEYS.map(([key, name]) => (
                <div key={name} className="contents">
                  <dt>
                    <kbd className="block min-w-7 rounded border border-line bg-sunk px-1.5 py-0.5 text-center font-sans text-xs">
                      {name === "enlarge" ? t("keys.space") : key}
                    </kbd>
                  </dt>
                  <dd className="text-quiet">{t(`keys.${name}`)}</dd>
                </div>
              ))}
            </dl>
            <Checkbox isChecked={areKeysOn} onChange={onKeysOn}>
              {t("keys.on")}
            </Checkbox>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
