import { useState } from "react";

/** Light, dark, or as the device has it. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const STORED = "creative-packs.theme";

export const readTheme = (): Theme =>
  THEMES.find((theme) => theme === localStorage.getItem(STORED)) ?? "system";

/** The theme, and what shows another at once and keeps the choice. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(readTheme);
  const choose = (chosen: Theme): void => {
    localStorage.setItem(STORED, chosen);
    showTheme(chosen);
    setTheme(chosen);
  };
  return [theme, choose];
}

/** Colours follow the attribute; without it they follow the device. See style.css. */
export function showTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
