/** Light, dark, or as the device has it. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const STORED = "creative-packs.theme";

export const readTheme = (): Theme =>
  THEMES.find((theme) => theme === localStorage.getItem(STORED)) ?? "system";

/** Shows a theme at once and keeps the choice. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme);
  showTheme(theme);
}

/** Colours follow the attribute; without it they follow the device. See style.css. */
export function showTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
