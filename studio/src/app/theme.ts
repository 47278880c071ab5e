import { useState } from "react";

/** Light, dark, or the device's setting. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const STORED = "creative-packs.theme";

export const readTheme = (): Theme =>
  THEMES.find((theme) => theme === localStorage.getItem(STORED)) ?? "system";

/** The theme, and a setter that applies and stores it. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(readTheme);
  const choose = (chosen: Theme): void => {
    localStorage.setItem(STORED, chosen);
    showTheme(chosen);
    setTheme(chosen);
  };
  return [theme, choose];
}

/** Sets or removes the attribute that selects the colours in style.css. Without it, they follow the device. */
export function showTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
