/** The front page at `/docs`: a first pack in code, and links to all parts. */
import { SIZES } from "#catalogue/sizes.ts";
import type { CodeSample } from "./code-samples.ts";
import { type Guide, groupsOf, guideAddress, guideNav } from "./guide-pages.ts";
import { codeTabs, escapeHtml } from "./html.ts";
import type { Page } from "./page-frame.ts";

/** The sizes in the drawing, placed side by side on one baseline. */
const SHOWN_SIZES = ["iab-300x250", "iab-160x600", "meta-story-1080x1920", "iab-728x90", "gads-300x600"];
/** Width of the label `1080×1920` in the font size of site.css. */
const LABEL_WIDTH = 66;
const SCALE: Readonly<Record<string, number>> = { "meta-story-1080x1920": 0.098 };

function drawnSizes(): string {
  let x = 0;
  const boxes = SHOWN_SIZES.flatMap((sizeId) => {
    const size = SIZES.find((each) => each.sizeId === sizeId);
    if (size === undefined) return [];
    const scale = SCALE[sizeId] ?? 0.3;
    const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)];
    const left = x;
    x += Math.max(width, LABEL_WIDTH) + 16;
    return [
      `<rect x="${left}" y="${196 - height}" width="${width}" height="${height}" rx="3"/><text x="${left}" y="216">${size.width}×${size.height}</text>`,
    ];
  });
  return `<svg class="drawn-sizes" viewBox="-1 0 ${x - 12} 222" aria-hidden="true">${boxes.join("")}</svg>`;
}

const card = (title: string, href: string, about: string): string =>
  `<li><a href="${href}">${escapeHtml(title)}</a><p>${escapeHtml(about).replace(/`([^`]+)`/g, "<code>$1</code>")}</p></li>`;

const cards = (title: string, items: readonly string[]): string =>
  `<section><h2>${escapeHtml(title)}</h2><ul class="cards">${items.join("")}</ul></section>`;

const groupCards = (guides: readonly Guide[]): string =>
  groupsOf(guides)
    .map(({ title, guides: own }) =>
      cards(
        title,
        own.map((guide) => card(guide.title, guideAddress(guide), guide.about)),
      ),
    )
    .join("");

const FOR_PROGRAMS = cards("For programs", [
  card(
    "Reference",
    "/docs/reference",
    "Every operation with its members, answers and code in curl, TypeScript and Python.",
  ),
  card("Try it", "/docs/try", "Send requests to this origin from the browser, with your key."),
  card("OpenAPI", "/openapi.json", "The interface as an OpenAPI 3.1 document, for generators of clients."),
  card(
    "Postman collection",
    "/docs/creative-packs.postman_collection.json",
    "Every operation with its example, to import into Postman, Bruno or Insomnia.",
  ),
  card("llms.txt", "/llms.txt", "These pages as Markdown, for language models; agents connect at `/mcp`."),
]);

/** The front page. `quickstart`: code for the same first pack in each language. */
export const frontPage = (guides: readonly Guide[], quickstart: readonly CodeSample[]): Page => ({
  path: "/docs",
  title: "Documentation",
  about: "Guides and reference of Creative Packs: one call, and every ad size comes out.",
  nav: guideNav(guides),
  layout: "front",
  main: `<div class="hero"><div><h1>One photo in.<br>Every ad size out.</h1>
<p class="lead">Send a photo, a logo and a headline. Get image files in the sizes that ad networks and social platforms take,
each under its byte cap, for one credit a size.</p>
<p class="actions"><a class="button" href="/docs/guides/first-pack">Make a first pack</a><a href="/docs/reference">Read the reference</a></p></div>
${drawnSizes()}</div>
${codeTabs("first-pack", quickstart)}
${groupCards(guides)}
${FOR_PROGRAMS}`,
});
