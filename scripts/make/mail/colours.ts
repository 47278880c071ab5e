/** The Studio's colours (studio/src/style.css), light and dark. */
interface Colours {
  readonly ink: string;
  readonly quiet: string;
  readonly paper: string;
  readonly card: string;
  readonly sunk: string;
  readonly line: string;
  readonly accent: string;
  readonly onAccent: string;
}

export const LIGHT: Colours = {
  ink: "#16211c",
  quiet: "#54615a",
  paper: "#fbfaf6",
  card: "#ffffff",
  sunk: "#f2f0e9",
  line: "#e2dfd5",
  accent: "#17623b",
  onAccent: "#ffffff",
};

const DARK: Colours = {
  ink: "#e9efe9",
  quiet: "#a1afa7",
  paper: "#101513",
  card: "#161d19",
  sunk: "#1a221e",
  line: "#2a342f",
  accent: "#7fd1a1",
  onAccent: "#0c1a12",
};

/** Overrides inline colours in mail programs with a dark mode. */
export const DARK_RULES = `@media (prefers-color-scheme: dark) {
.paper, .paper > table > tbody > tr > td { background-color: ${DARK.paper} !important; }
.card { background-color: ${DARK.card} !important; border-color: ${DARK.line} !important; }
.sunk { background-color: ${DARK.sunk} !important; }
.ink { color: ${DARK.ink} !important; }
.quiet { color: ${DARK.quiet} !important; }
.accent { color: ${DARK.accent} !important; }
.button { background-color: ${DARK.accent} !important; color: ${DARK.onAccent} !important; }
.line { border-color: ${DARK.line} !important; }
}`;
