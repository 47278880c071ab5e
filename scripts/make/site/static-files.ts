/** Static files of the pages, from this repository and from packages. */
import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { inRoot } from "../../local/paths.ts";

/** Served under `/docs/assets/`. Names contain no hash, so that pages of an earlier build still find their files. */
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

/** Served under `/docs/`, with stable names that other sites may link to. */
const NAMED = [
  ["node_modules/swagger-ui-dist/favicon-32x32.png", "icon.png"],
  // The photo of the quickstarts.
  ["samples/bottle-photo.jpg", "photo.jpg"],
  ["docs/gallery-brands.png", "gallery-brands.png"],
  ["docs/gallery-looks.png", "gallery-looks.png"],
  ["docs/gallery-motion.png", "gallery-motion.png"],
  ["docs/gallery-motion-sizes.png", "gallery-motion-sizes.png"],
  ["docs/collection/creative-packs.postman_collection.json", "creative-packs.postman_collection.json"],
] as const;

/** site.css, concatenated in the order of the file names: the rules for narrow windows must come last. */
async function styleSheet(): Promise<Buffer> {
  const paths = globSync("scripts/make/site/static/css/*.css", { cwd: inRoot(".") }).sort();
  return Buffer.concat(await Promise.all(paths.map((path) => readFile(inRoot(path)))));
}

const versionOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex").slice(0, 10);

const readAll = (files: readonly (readonly [source: string, name: string])[]) =>
  Promise.all(files.map(async ([source, name]) => [name, await readFile(inRoot(source))] as const));

/**
 * All static files by path, and `asset`, which returns an asset's URL with a hash of its content, so that browsers
 * never combine a new page with a cached style. `more`: further assets, such as the search index.
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
