/** Pages of the guides: the document, its table of contents, and links to the previous and next guide. */
import { readFile } from "node:fs/promises";
import { inRoot } from "../../local/paths.ts";
import { GUIDE_GROUPS, GUIDES, type GuideSource } from "./guides.ts";
import { escapeHtml } from "./html.ts";
import { type Heading, type RenderedDocument, renderDocument } from "./markdown.ts";
import type { NavGroup, Page } from "./page-frame.ts";
import { servedMarkdown } from "./served-markdown.ts";

export interface Guide extends GuideSource {
  readonly title: string;
  /** The Markdown that the site serves, with links to the site's pages. */
  readonly markdown: string;
  readonly rendered: RenderedDocument;
}

export const guideAddress = ({ slug }: GuideSource): string => `/docs/guides/${slug}`;

/** Reads and renders every guide. */
export const readGuides = (): Promise<readonly Guide[]> =>
  Promise.all(
    GUIDES.map(async (source) => {
      const text = [await readFile(inRoot(source.path), "utf8"), source.appendix?.()]
        .filter(Boolean)
        .join("\n");
      const rendered = renderDocument(source.path, text);
      const title = source.title ?? rendered.title;
      return { ...source, title, rendered, markdown: servedMarkdown(source.path, text) };
    }),
  );

/** The guides by group, with the titles of the groups. */
export const groupsOf = (guides: readonly Guide[]) =>
  GUIDE_GROUPS.map(({ title, guides: sources }) => ({
    title,
    guides: guides.filter(({ slug }) => sources.some((source) => source.slug === slug)),
  }));

/** The guides' side bar. */
export const guideNav = (guides: readonly Guide[]): readonly NavGroup[] =>
  groupsOf(guides).map(({ title, guides: own }) => ({
    title,
    items: own.map((guide) => ({ title: guide.title, href: guideAddress(guide) })),
  }));

/** The table of contents. With more than 24 headings it lists only those of level 2. */
function contents(headings: readonly Heading[]): string {
  const shown = headings.length > 24 ? headings.filter(({ depth }) => depth === 2) : headings;
  if (shown.length < 2) return "";
  const items = shown.map(
    ({ depth, id, text }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join("")}</ul></nav>`;
}

function neighbours(guides: readonly Guide[], at: number): string {
  const link = (guide: Guide | undefined, words: string, rel: string) =>
    guide === undefined
      ? "<span></span>"
      : `<a rel="${rel}" href="${guideAddress(guide)}"><small>${words}</small>${escapeHtml(guide.title)}</a>`;
  return `<nav class="neighbours" aria-label="Next to this page">${link(guides[at - 1], "Before", "prev")}${link(guides[at + 1], "Next", "next")}</nav>`;
}

export const guidePages = (guides: readonly Guide[]): readonly Page[] =>
  guides.map((guide, at) => ({
    path: guideAddress(guide),
    title: guide.title,
    about: guide.about,
    nav: guideNav(guides),
    layout: "guide",
    main: `<article>${guide.rendered.html}</article><p class="as-text"><a href="${guideAddress(guide)}.md">This page as Markdown</a></p>${neighbours(guides, at)}`,
    aside: contents(guide.rendered.headings),
  }));
