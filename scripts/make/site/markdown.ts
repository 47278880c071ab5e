/** Renders documents of the repository as HTML: headings with anchors, highlighted code, links within the site. */
import { readFileSync } from "node:fs";
import { dirname, normalize } from "node:path";
import GithubSlugger from "github-slugger";
import { Marked, type Tokens } from "marked";
import { Failure } from "../../local/failure.ts";
import { inRoot } from "../../local/paths.ts";
import { siteAddress } from "./guides.ts";
import { codeBlock, escapeHtml } from "./html.ts";

export interface Heading {
  readonly depth: number;
  readonly id: string;
  readonly text: string;
}

/** A search result: the part of a page from one heading to the next. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface RenderedDocument {
  readonly title: string;
  readonly html: string;
  /** Headings of levels 2 and 3. */
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

/** Adds anchors to clauses of the API reference, and links to citations of them. */
const withClauses = (html: string): string =>
  html
    .replace(/<strong>§(\d+\.\d+)<\/strong>/g, '<strong class="clause" id="s$1">§$1</strong>')
    .replace(/\bAPI §(\d+\.\d+)/g, '<a href="/docs/guides/api#s$1">API §$1</a>');

/** Inlines an SVG of the repository, so that it has the page's colours. An image that the site serves is an `img`. */
function shownPicture(documentPath: string, token: Tokens.Image): string {
  const path = normalize(`${dirname(documentPath)}/${token.href}`);
  const address = siteAddress(documentPath, token.href);
  if (address !== null) return `<img src="${address}" alt="${escapeHtml(token.text)}" loading="lazy">`;
  if (!path.endsWith(".svg"))
    throw new Failure(`${documentPath} shows ${token.href}, which the site does not serve.`);
  const drawing = readFileSync(inRoot(path), "utf8").replace(/<style>[\s\S]*?<\/style>/, "");
  return drawing.replace("<svg ", `<svg role="img" aria-label="${escapeHtml(token.text)}" `).trim();
}

const plainText = (html: string): string =>
  html
    .replace(/<[^>]*>/g, " ")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&(?:lt|gt|quot|amp);/g, " ")
    .replace(/\s+/g, " ")
    .trim();

function markedFor(documentPath: string, headings: Heading[]): Marked {
  const slugger = new GithubSlugger();
  return new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        const text = plainText(inner);
        const id = slugger.slug(text);
        headings.push({ depth, id, text });
        if (depth === 1) return `<h1 id="${id}">${inner}</h1>\n`;
        return `<h${depth} id="${id}">${inner}<a class="anchor" href="#${id}" aria-label="Link to “${escapeHtml(text)}”">#</a></h${depth}>\n`;
      },
      code({ text, lang }) {
        return codeBlock(text, (lang ?? "").split(" ")[0] ?? "");
      },
      table(token) {
        const cell = ({ tokens }: Tokens.TableCell, tag: string) =>
          `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
        const row = (cells: readonly Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map((each) => cell(each, tag)).join("")}</tr>`;
        const body = token.rows.map((cells) => row(cells, "td")).join("\n");
        return `<div class="table" tabindex="0" role="region" aria-label="Table"><table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const address = siteAddress(documentPath, href);
        return address === null ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`;
      },
      image(token) {
        return shownPicture(documentPath, token);
      },
    },
  });
}

/** The plain text between headings. */
function sectionsOf(html: string, headings: readonly Heading[]): readonly Section[] {
  const parts = html.split(/<h[1-6] id="/).slice(1);
  return parts.flatMap((part, at) => {
    const heading = headings[at];
    if (heading === undefined) return [];
    const text = plainText(part.slice(part.indexOf("</h")).replace(/<svg[\s\S]*?<\/svg>/g, " "));
    return [{ id: heading.id, title: heading.text, text }];
  });
}

/** Renders a description of the OpenAPI document. */
export const renderWords = (text: string): string =>
  withClauses(markedFor("docs/api.md", []).parse(text, { async: false }));

/** Renders a document. Throws for broken links and missing images. */
export function renderDocument(documentPath: string, text: string): RenderedDocument {
  const headings: Heading[] = [];
  const html = withClauses(markedFor(documentPath, headings).parse(text, { async: false }));
  const title = headings.find(({ depth }) => depth === 1)?.text;
  if (title === undefined) throw new Failure(`${documentPath} has no title.`);
  return {
    title,
    html,
    headings: headings.filter(({ depth }) => depth === 2 || depth === 3),
    sections: sectionsOf(html, headings),
  };
}
