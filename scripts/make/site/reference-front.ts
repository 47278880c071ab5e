/** The first page of the reference: what holds for all operations, and the list of them. */
import { escapeHtml } from "./html.ts";
import { renderWords } from "./markdown.ts";
import type { ApiDescription } from "./openapi.ts";
import type { NavGroup, Page } from "./page-frame.ts";
import { operationLine, type ReferencePage } from "./reference-pages.ts";

export const referenceAddress = (page: ReferencePage): string => `/docs/reference/${page.slug}`;

/** The reference's side bar: an entry for each tag, with its operations while its page is read. */
const referenceNav = (pages: readonly ReferencePage[]): readonly NavGroup[] => [
  {
    title: "Reference",
    items: [
      { title: "Introduction", href: "/docs/reference" },
      ...pages.map((page) => ({
        title: page.tag,
        href: referenceAddress(page),
        parts: page.operations.map(({ operationId, summary }) => ({
          title: summary,
          href: `${referenceAddress(page)}#${operationId}`,
        })),
      })),
    ],
  },
];

const listOf = (page: ReferencePage): string =>
  `<section><h2>${escapeHtml(page.tag)}</h2><ul class="operations">${page.operations
    .map(
      (operation) =>
        `<li><a href="${referenceAddress(page)}#${operation.operationId}">${escapeHtml(operation.summary)}</a>${operationLine(operation)}</li>`,
    )
    .join("")}</ul></section>`;

/** The introduction, then every operation. */
export const referenceFront = (api: ApiDescription, pages: readonly ReferencePage[]): Page => ({
  path: "/docs/reference",
  title: "Reference",
  about: `Every operation of the Creative Packs API, version ${api.info.version}.`,
  nav: referenceNav(pages),
  layout: "guide",
  main: `<article><h1>Reference</h1>${renderWords(api.info.description)}${pages.map(listOf).join("")}</article>`,
});

/** A page for each tag. */
export const referenceTagPages = (pages: readonly ReferencePage[]): readonly Page[] =>
  pages.map((page) => ({
    path: referenceAddress(page),
    title: page.tag,
    about: `${page.tag}: operations of the Creative Packs API.`,
    nav: referenceNav(pages),
    layout: "reference",
    main: page.html,
  }));
