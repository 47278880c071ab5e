/** Files that the pages load, each from where it is published. */
import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { inRoot } from "../../local/paths.ts";

/** Served under `/docs/assets/`. Their names stay, so that a site which is built anew breaks no page that is open. */
const ASSETS = [
  ["scripts/make/site/static/site.js", "site.js"],
  ["scripts/make/site/static/search.js", "search.js"],
  ["scripts/make/site/static/ranking.js", "ranking.js"],
  ["scripts/make/site/static/theme.js", "theme.js"],
  ["node_modules/minisearch/dist/es/index.js", "minisearch.js"],
  ["node_modules/inter-ui/variable-latin/InterVariable-subset.woff2", "inter.woff2"],
  ["node_modules/swagger-ui-dist/swagger-ui-bundle.js", "swagger-ui-bundle.js"],
  ["node_modules/swagger-ui-dist/swagger-ui.css", "swagger-ui.css"],
  ["scripts/make/docs/start.js", "start.js"],
  ["scripts/make/docs/reference.css", "reference.css"],
] as const;

/** Served under `/docs/`, under names that others may have written down. */
const NAMED = [
  ["node_modules/swagger-ui-dist/favicon-32x32.png", "icon.png"],
  // For the first packs of the quickstarts.
  ["samples/bottle-photo.jpg", "photo.jpg"],
  ["docs/gallery-brands.png", "gallery-brands.png"],
  ["docs/gallery-looks.png", "gallery-looks.png"],
  ["docs/gallery-motion.png", "gallery-motion.png"],
  ["docs/gallery-motion-sizes.png", "gallery-motion-sizes.png"],
  ["docs/collection/creative-packs.postman_collection.json", "creative-packs.postman_collection.json"],
] as const;

/** The parts of site.css, in the order of their names: later rules are for narrower windows. */
async function styleSheet(): Promise<Buffer> {
  const paths = globSync("scripts/make/site/static/css/*.css", { cwd: inRoot(".") }).sort();
  return Buffer.concat(await Promise.all(paths.map((path) => readFile(inRoot(path)))));
}

const versionOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex").slice(0, 10);

const readAll = (files: readonly (readonly [source: string, name: string])[]) =>
  Promise.all(files.map(async ([source, name]) => [name, await readFile(inRoot(source))] as const));

/**
 * Every static file by its address on this origin, and `asset`, which gives an asset's address with its version: a page of
 * this version never meets another's style. `more` are further assets, such as the index of the search.
 */
export async function readStaticFiles(more: Readonly<Record<string, string>>) {
  const made = Object.entries(more).map(([name, text]) => [name, Buffer.from(text)] as const);
  const assets = new Map([...(await readAll(ASSETS)), ...made, ["site.css", await styleSheet()] as const]);
  const asset = (name: string): string => {
    const bytes = assets.get(name);
    if (bytes === undefined) throw new Error(`there is no asset ${name}`);
    return `/docs/assets/${name}?v=${versionOf(bytes)}`;
  };
  const files = [
    ...[...assets].map(([name, bytes]) => [`/docs/assets/${name}`, bytes] as const),
    ...(await readAll(NAMED)).map(([name, bytes]) => [`/docs/${name}`, bytes] as const),
  ];
  return { files, asset };
}
