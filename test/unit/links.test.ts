import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import GithubSlugger from "github-slugger";
import { marked, type Token } from "marked";
import { expect, it } from "vitest";
import { ASSETS_FOLDER, inRoot } from "../../scripts/local/paths.ts";

/** Whether a link leads to another host. Such links are not checked, so the test needs no network. */
const isElsewhere = (href: string): boolean => /^(https?:|mailto:|data:|cursor:|vscode:)/.test(href);

interface MarkdownText {
  readonly links: readonly string[];
  readonly anchors: ReadonlySet<string>;
}

const textOf = (tokens: readonly Token[] = []): string =>
  tokens
    .map((token) => ("tokens" in token ? textOf(token.tokens) : "text" in token ? token.text : ""))
    .join("");

function readMarkdown(text: string): MarkdownText {
  const slugger = new GithubSlugger();
  const links: string[] = [];
  const anchors = new Set<string>();
  marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === "heading") anchors.add(slugger.slug(textOf(token.tokens)));
    if (token.type === "link" || token.type === "image") links.push(token.href);
    for (const [, id = ""] of token.type === "html" ? token.text.matchAll(/\bid="([^"]+)"/g) : [])
      anchors.add(id);
    for (const [, href = ""] of token.type === "html" ? token.text.matchAll(/\b(?:href|src)="([^"]+)"/g) : [])
      links.push(href);
  });
  return { links, anchors };
}

/** Files of the site by path. Pages are also listed without `.html`. */
const served = new Map(
  globSync("**/*.*", { cwd: inRoot(ASSETS_FOLDER) }).flatMap((path) => {
    const file = inRoot(join(ASSETS_FOLDER, path));
    return [`/${path}`, `/${path.replace(/(^index)?\.html$/, "")}`].map(
      (address) => [address, file] as const,
    );
  }),
);
/** Paths that the worker answers without a file. */
const OF_WORKER = ["/openapi.json", "/health", "/api/v1/contracts"];

const anchorsOfFile = new Map<string, ReadonlySet<string>>();
function hasAnchor(file: string, id: string): boolean {
  const known = anchorsOfFile.get(file);
  if (known !== undefined) return known.has(id);
  const text = readFileSync(file, "utf8");
  const anchors = file.endsWith(".md")
    ? readMarkdown(text).anchors
    : new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, found = ""]) => found));
  anchorsOfFile.set(file, anchors);
  return anchors.has(id);
}

function isServed(from: string, href: string): boolean {
  const { pathname, hash } = new URL(href, `http://site${from}`);
  if (OF_WORKER.includes(pathname)) return true;
  const file = served.get(pathname);
  return file !== undefined && (hash === "" || hasAnchor(file, decodeURIComponent(hash.slice(1))));
}

it("every link of a page of the site leads to a page and part that the site has", () => {
  const pages = [...served].filter(([address]) => address.endsWith(".html"));
  expect(pages.length).toBeGreaterThan(30);
  const dead = pages.flatMap(([address, file]) =>
    [...readFileSync(file, "utf8").matchAll(/\s(?:href|src)="([^"]+)"/g)]
      .map(([, href = ""]) => href.replaceAll("&#38;", "&"))
      .filter((href) => !isElsewhere(href) && !isServed(address.replace(/\.html$/, ""), href))
      .map((href) => `${address} links to ${href}`),
  );
  expect(dead).toEqual([]);
});

it("every link of the site's Markdown leads to a file and part that the site has", () => {
  const texts = [...served].filter(([address]) => /\.(md|txt)$/.test(address));
  expect(texts.length).toBeGreaterThan(20);
  const dead = texts.flatMap(([address, file]) =>
    readMarkdown(readFileSync(file, "utf8"))
      .links.filter((href) => !isElsewhere(href) && !isServed(address, href))
      .map((href) => `${address} links to ${href}`),
  );
  expect(dead).toEqual([]);
});

it("every link of the repository's Markdown leads to a file and part of it", () => {
  const paths = globSync("**/*.md", {
    cwd: inRoot("."),
    exclude: (name) => /^(node_modules|dist|demo-output|gallery|\..+)$/.test(name.split("/").at(-1) ?? name),
  });
  expect(paths.length).toBeGreaterThan(100);
  const dead = paths.flatMap((path) =>
    readMarkdown(readFileSync(inRoot(path), "utf8"))
      .links.filter((href) => {
        if (isElsewhere(href)) return false;
        const [name = "", id] = href.split("#");
        const target = inRoot(name === "" ? path : normalize(`${dirname(path)}/${name}`));
        if (!existsSync(target) || name.startsWith("/")) return true;
        return id !== undefined && !hasAnchor(target, id);
      })
      .map((href) => `${path} links to ${href}`),
  );
  expect(dead).toEqual([]);
});
