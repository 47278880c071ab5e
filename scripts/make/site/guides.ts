/**
 * The repository's documents that are pages of the site, in the order of the side bar; the targets of their links, and
 * their code blocks.
 */
import { existsSync } from "node:fs";
import { dirname, normalize } from "node:path";
import { Failure } from "../../local/failure.ts";
import { inRoot } from "../../local/paths.ts";
import { sdkReference } from "./sdk-reference.ts";

export interface GuideSource {
  /** Last segment of its path, `/docs/guides/<slug>`. */
  readonly slug: string;
  /** Path inside the clone. */
  readonly path: string;
  /** Title on the site, if the document's own title would be misleading there. */
  readonly title?: string;
  /** One line for the front page and llms.txt. */
  readonly about: string;
  /** Markdown that the site appends to the document. */
  readonly appendix?: () => string;
}

export interface GuideGroup {
  readonly title: string;
  readonly guides: readonly GuideSource[];
}

const guide = (slug: string, about: string, path = `docs/guides/${slug}.md`): GuideSource => ({
  slug,
  path,
  about,
});

export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: "Start",
    guides: [
      guide("first-pack", "An account, an API key, credits, and a pack to show for it."),
      guide("quickstart-typescript", "A first pack with the TypeScript package, in ten lines."),
      guide("quickstart-curl", "The same with nothing but a shell, step by step."),
      guide("quickstart-python", "The same with Python and `requests`."),
      guide("command-line", "Packs from a shell: one, or one for each row of a table."),
    ],
  },
  {
    title: "Build",
    guides: [
      guide("design", "Placements, variants, prices, and sizes with words of their own."),
      guide("looks", "Seven looks, the brand's colours, the treatment of the logo, and how animations move."),
      guide(
        "image-urls",
        "Signed URLs that draw an image at their first visit, for pages, mail and `og:image`.",
      ),
      guide("brands", "Colours, logos, fonts and words of a customer, saved once and named by an id."),
      guide("motion", "Animated packs: HTML5, MP4 and GIF, click tags by network, what moves when."),
      guide("sizes", "Every size of every contract: pixels, byte cap, formats, safe area, drawn."),
      guide("languages", "Copy in any script: fallback typefaces, line breaks, hyphenation."),
      guide("paying", "What a pack costs, and how to buy credits or a plan; invoices, refunds, top-ups."),
      guide(
        "test-keys",
        "Build with real packs that cost nothing: test keys, and how they differ from live ones.",
      ),
      guide("idempotency", "Repeat a request safely: it takes effect, and is charged, once."),
      guide("rate-limits", "How requests are counted, and how long to wait after a 429."),
      guide("errors", "Every error code: its status, what it means, what to do next."),
      {
        ...guide("sdk", "Every call of the package for TypeScript and JavaScript.", "sdk/README.md"),
        title: "SDK reference",
        appendix: sdkReference,
      },
      guide("mcp", "Let an agent make packs: how to connect the usual clients.", "docs/mcp.md"),
    ],
  },
  {
    title: "Send out",
    guides: [
      guide("webhooks", "Get a message when a pack is ready: verify signatures, handle repeats."),
      guide("deliveries", "Send packs to webhooks and S3-compatible stores.", "docs/deliveries.md"),
    ],
  },
  {
    title: "The rules",
    guides: [
      {
        ...guide("api", "What the service promises, as numbered clauses.", "docs/api.md"),
        title: "The rules, clause by clause",
      },
      guide("changelog", "What changed for callers and operators, newest first.", "CHANGELOG.md"),
    ],
  },
];

export const GUIDES: readonly GuideSource[] = GUIDE_GROUPS.flatMap(({ guides }) => guides);

/** Other files of the clone that the site serves: path in the clone → path on the site. */
const SERVED: Readonly<Record<string, string>> = {
  "schema/openapi.json": "/openapi.json",
  "docs/gallery-brands.png": "/docs/gallery-brands.png",
  "docs/gallery-looks.png": "/docs/gallery-looks.png",
  "docs/gallery-motion.png": "/docs/gallery-motion.png",
  "docs/gallery-motion-sizes.png": "/docs/gallery-motion-sizes.png",
  "docs/collection/creative-packs.postman_collection.json": "/docs/creative-packs.postman_collection.json",
};

/**
 * Path on the site for a document's `href`; null if the site does not serve the target, so that only the link's text
 * stays. Throws for a broken link, that is, if the clone has no such file.
 */
export function siteAddress(documentPath: string, href: string): string | null {
  if (/^(https?:|mailto:|\/|#)/.test(href)) return href;
  const [file = "", fragment] = href.split("#");
  const path = normalize(`${dirname(documentPath)}/${file}`);
  if (!existsSync(inRoot(path))) throw new Failure(`${documentPath} links to ${href}, which is not there.`);
  const guide = GUIDES.find((each) => each.path === path);
  const address = guide === undefined ? SERVED[path] : `/docs/guides/${guide.slug}`;
  if (address === undefined) return null;
  return fragment === undefined ? address : `${address}#${fragment}`;
}

/** A code block of a guide. */
export interface ShownBlock {
  /** Language of the fence, such as `ts` or `sh`; empty if it has none. */
  readonly language: string;
  /** Name in the fence's `run=<name>`. Blocks with the same name are one program, which a test runs. */
  readonly run: string | null;
  readonly code: string;
}

const FENCE = /^```([a-z]*)(?: +run=([\w-]+))?\n([\s\S]*?)^```$/gm;

/** All code blocks of a guide, in order. */
export const codeOfGuide = (markdown: string): readonly ShownBlock[] =>
  [...markdown.matchAll(FENCE)].map(([, language = "", run, code = ""]) => ({
    language,
    run: run ?? null,
    code,
  }));
