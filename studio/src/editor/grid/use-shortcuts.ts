import { useEffect, useRef, useState } from "react";
import { tileButton } from "./use-grid-keys.ts";

/** Set where single keys are off: speech input may press them by accident (WCAG 2.1.4). */
const OFF = "creative-packs.single-keys-off";

/** Where keys are text, or move within something else. */
const OTHERS =
  "input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox], [role=combobox]";

/** The button of the list of keys. */
export const KEY_LIST_ID = "shortcut-list";

const WHEREVER: Readonly<Record<string, () => void>> = {
  g: () => {
    const stop = document.querySelector<HTMLElement>('[data-size-id] button[tabindex="0"]');
    (stop ?? tileButton(undefined))?.focus();
  },
  o: () => {
    const bar = document.querySelector<HTMLElement>("[data-order-bar]");
    const [last] = [...(bar?.querySelectorAll<HTMLElement>("button:enabled") ?? [])].reverse();
    if (bar !== null) bar.tabIndex = -1;
    (last ?? bar)?.focus();
  },
  "?": () => document.getElementById(KEY_LIST_ID)?.click(),
};

/** Single keys of the editor: g, o and ?, and those given. Returns whether they are on, and a switch. */
export function useShortcuts(keys: Readonly<Record<string, () => void>>): [boolean, (isOn: boolean) => void] {
  const [isOn, setIsOn] = useState(() => localStorage.getItem(OFF) === null);
  const all = useRef(keys);
  all.current = { ...WHEREVER, ...keys };
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest(OTHERS) !== null) return;
      // A dialog over the page has keys of its own.
      if (document.querySelector("[role=dialog][aria-modal=true]") !== null) return;
      const act = all.current[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOn]);
  return [
    isOn,
    (next) => {
      if (next) localStorage.removeItem(OFF);
      else localStorage.setItem(OFF, "yes");
      setIsOn(next);
    },
  ];
}
