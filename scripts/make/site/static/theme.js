// Applies the stored theme before the first paint, so that the other theme does not flash.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be blocked; the system's theme applies.
}
