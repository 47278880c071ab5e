/** The frame of every page: head, top bar, side bar and search. */
import { escapeHtml } from "./html.ts";

export interface NavItem {
  readonly title: string;
  readonly href: string;
  /** Links to its sections, shown only while this page is open. */
  readonly parts?: readonly NavItem[];
}

export interface NavGroup {
  readonly title: string;
  readonly items: readonly NavItem[];
}

export interface Page {
  /** Path on this origin, without a file extension. */
  readonly path: string;
  readonly title: string;
  readonly about: string;
  readonly nav: readonly NavGroup[];
  /** HTML inside `main`. */
  readonly main: string;
  /** HTML to the right of `main`: the table of contents. */
  readonly aside?: string;
  /** Class of `body`, which selects a layout in site.css. */
  readonly layout: "guide" | "reference" | "front";
}

const TOP = [
  { title: "Guides", href: "/docs/guides/first-pack", prefix: "/docs/guides/" },
  { title: "Reference", href: "/docs/reference", prefix: "/docs/reference" },
  { title: "Try it", href: "/docs/try", prefix: "/docs/try" },
] as const;

/** The logo: a tall and a wide size, with their overlap filled. */
const MARK = `<svg class="mark" viewBox="0 0 28 28" aria-hidden="true"><rect x="1.5" y="1.5" width="15" height="25" rx="2"/><rect x="1.5" y="1.5" width="25" height="10" rx="2"/><rect class="filled" x="1.5" y="1.5" width="15" height="10" rx="2"/></svg>`;

const current = (isCurrent: boolean): string => (isCurrent ? ' aria-current="page"' : "");

const topLinks = (path: string): string =>
  TOP.map(
    ({ title, href, prefix }) =>
      `<a href="${href}"${path.startsWith(prefix) ? ' aria-current="true"' : ""}>${title}</a>`,
  ).join("");

function sideItem(path: string, { title, href, parts = [] }: NavItem): string {
  const inner =
    href !== path || parts.length === 0
      ? ""
      : `<ul class="parts">${parts.map((part) => sideItem(path, part)).join("")}</ul>`;
  return `<li><a href="${href}"${current(href === path)}>${escapeHtml(title)}</a>${inner}</li>`;
}

const sideBar = (path: string, groups: readonly NavGroup[]): string =>
  groups
    .map(
      ({ title, items }) =>
        `<section><h2>${escapeHtml(title)}</h2><ul>${items.map((item) => sideItem(path, item)).join("")}</ul></section>`,
    )
    .join("");

const SEARCH = `<dialog id="search" aria-label="Search the documentation">
<input id="search-words" type="search" autocomplete="off" spellcheck="false" placeholder="Search guides, operations, error codes" aria-label="Search" role="combobox" aria-expanded="false" aria-controls="search-found" aria-autocomplete="list">
<p id="search-said" role="status"></p>
<div id="search-found" role="listbox" aria-label="Results"></div>
</dialog>`;

/** The HTML of a page. `asset` returns the URL of a static file, with its version. */
export function framed(page: Page, asset: (name: string) => string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} · Creative Packs</title>
<meta name="description" content="${escapeHtml(page.about)}">
<link rel="icon" href="/docs/icon.png">
<link rel="preload" href="/docs/assets/inter.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${asset("site.css")}">
<script src="${asset("theme.js")}"></script>
<script type="module" src="${asset("site.js")}"></script>
</head>
<body class="${page.layout}">
<a class="skip" href="#main">Skip to the text</a>
<header class="top">
<button class="icon-button menu-button" type="button" aria-expanded="false" aria-controls="side" aria-label="Menu"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M3 6h14M3 14h14"/></svg></button>
<a class="brand" href="/docs">${MARK}<span>Creative Packs</span></a>
<nav class="top-links" aria-label="Parts">${topLinks(page.path)}</nav>
<button class="search-button" type="button" aria-label="Search" aria-keyshortcuts="/"><svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="9" cy="9" r="5.5"/><path d="m13.2 13.2 4 4"/></svg><span>Search</span><kbd>/</kbd></button>
<button class="icon-button theme-button" type="button" aria-label="Change between light and dark"><svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="6.5"/><path class="filled" d="M10 3.5a6.5 6.5 0 0 1 0 13z"/></svg></button>
</header>
<div class="columns">
<nav id="side" class="side" aria-label="Pages"><div class="side-parts">${topLinks(page.path)}</div>${sideBar(page.path, page.nav)}</nav>
<main id="main" tabindex="-1">${page.main}</main>
${page.aside ?? ""}
</div>
${SEARCH}
</body>
</html>
`;
}
