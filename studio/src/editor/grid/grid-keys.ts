import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useRef, useState } from "react";

/** The button of a size's tile that opens its panel. */
export const tileButton = (sizeId: string): HTMLElement | null =>
  document.querySelector(`[data-size-id="${CSS.escape(sizeId)}"] button[aria-haspopup]`);

const MOVES: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Moves the focus between tiles, in the given order: Tab treats all tiles as one stop. */
export function moveFocus(event: ReactKeyboardEvent, sizeIds: readonly string[]): void {
  const { target } = event;
  const move = MOVES[event.key];
  const from =
    target instanceof Element ? target.closest<HTMLElement>("[data-size-id]")?.dataset.sizeId : null;
  if (move === undefined || typeof from !== "string") return;
  const at = Math.min(sizeIds.length - 1, Math.max(0, sizeIds.indexOf(from) + move));
  event.preventDefault();
  tileButton(sizeIds[at] ?? "")?.focus();
}

/**
 * Storage key, set if single-key shortcuts are off. Users of speech input may trigger them by accident (WCAG 2.1.4).
 */
const OFF = "creative-packs.single-keys-off";

/** Elements that use the keys for text or navigation. */
const OTHERS = "input, textarea, select, [role=dialog], [role=menu], [role=listbox], [role=combobox]";

const EVERYWHERE: Readonly<Record<string, () => void>> = {
  g: () => {
    // The tile that Tab reaches; with server previews, the first button of a tile.
    const stop = document.querySelector<HTMLElement>('[data-size-id] [tabindex="0"]');
    (stop ?? document.querySelector<HTMLElement>("[data-size-id] button:enabled"))?.focus();
  },
  o: () => {
    const bar = document.querySelector<HTMLElement>("[data-order-bar]");
    if (bar !== null) bar.tabIndex = -1;
    ([...(bar?.querySelectorAll<HTMLElement>("button:enabled") ?? [])].at(-1) ?? bar)?.focus();
  },
  "?": () => document.querySelector<HTMLElement>("button:has(> [data-key-list])")?.click(),
};

/**
 * Enables the editor's single-key shortcuts: g, o, ? and `keys`. Returns whether they are on, and a function that
 * switches them.
 */
export function useShortcuts(keys: Readonly<Record<string, () => void>>): [boolean, (isOn: boolean) => void] {
  const [isOn, setIsOn] = useState(() => localStorage.getItem(OFF) === null);
  const all = useRef(keys);
  all.current = { ...EVERYWHERE, ...keys };
  useEffect(() => {
    if (isOn) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "yes");
    const onKey = (event: KeyboardEvent): void => {
      const { key, target, defaultPrevented, ctrlKey, metaKey, altKey } = event;
      const isText = target instanceof Element && target.closest(OTHERS) !== null;
      // Ignored in text fields and dialogs, which have their own keys.
      if (!isOn || isText || defaultPrevented || ctrlKey || metaKey || altKey) return;
      const run = all.current[key];
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOn]);
  return [isOn, setIsOn];
}
