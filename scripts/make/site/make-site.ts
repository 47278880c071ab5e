/**
 * Writes the documentation site and the font library into the folder that wrangler.toml serves: guides, reference,
 * search, try-it page, and texts for language models. scripts/make/assets.ts runs it.
 */
import { runScript } from "../../local/failure.ts";
import { placeFiles } from "../../local/place-files.ts";
import { fontAssets } from "../fonts/font-assets.ts";
import type { CodeSample } from "./code-samples.ts";
import { frontPage } from "./front-page.ts";
import { type Guide, guideAddress, guidePages, readGuides } from "./guide-pages.ts";
import { codeOfGuide } from "./guides.ts";
import { headersFile } from "./headers.ts";
import { llmsFull, llmsIndex } from "./llms.ts";
import { readApiDescription } from "./openapi.ts";
import { framed } from "./page-frame.ts";
import { operationGroups, referencePages } from "./reference-pages.ts";
import { searchIndex } from "./search-index.ts";
import { readStaticFiles } from "./static-files.ts";
import { tryPage } from "./try-page.ts";

/** Top-level names of the site and the font library. The rest of the folder belongs to other builders. */
const OWN = ["docs", "fonts", "_headers", "docs.html", "llms.txt", "llms-full.txt"];

const QUICKSTARTS = [
  ["TypeScript", "quickstart-typescript", "ts"],
  ["Python", "quickstart-python", "python"],
  ["curl", "quickstart-curl", "sh"],
] as const;

/** The code of each quickstart guide. */
function quickstartsOf(guides: readonly Guide[]): readonly CodeSample[] {
  return QUICKSTARTS.flatMap(([title, slug, language]) => {
    const guide = guides.find((each) => each.slug === slug);
    const blocks = codeOfGuide(guide?.markdown ?? "").filter(({ run }) => run === slug);
    return blocks.length === 0
      ? []
      : [{ title, language, code: blocks.map(({ code }) => code.trim()).join("\n\n") }];
  });
}

/** All files of the site by path. */
async function buildSite(): Promise<ReadonlyMap<string, Buffer | string>> {
  const [guides, api] = await Promise.all([readGuides(), readApiDescription()]);
  const groups = operationGroups(api);
  const { files, asset } = await readStaticFiles({ "search.json": searchIndex(guides, groups) });
  const pages = [
    frontPage(guides, quickstartsOf(guides)),
    ...guidePages(guides),
    ...referencePages(api, groups),
  ];
  return new Map<string, Buffer | string>([
    ...files,
    ...pages.map((page) => [`${page.path}.html`, framed(page, asset)] as const),
    ...guides.map((guide) => [`${guideAddress(guide)}.md`, guide.markdown] as const),
    ["/docs/try.html", tryPage(asset)],
    ["/llms.txt", llmsIndex(guides)],
    ["/llms-full.txt", llmsFull(guides)],
    ["/_headers", headersFile()],
  ]);
}

await runScript(async () => {
  await placeFiles(new Map([...(await buildSite()), ...(await fontAssets())]), OWN);
});
