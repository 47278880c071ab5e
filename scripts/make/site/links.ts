/** Where a link of a document leads on the site. */
import { existsSync } from "node:fs";
import { dirname, normalize } from "node:path";
import { Failure } from "../../local/failure.ts";
import { inRoot } from "../../local/paths.ts";
import { GUIDES } from "./guides.ts";

/** Files of the clone that have an address of their own. */
const SERVED: Readonly<Record<string, string>> = {
  "schema/openapi.json": "/openapi.json",
  "docs/gallery-brands.png": "/docs/gallery-brands.png",
  "docs/gallery-looks.png": "/docs/gallery-looks.png",
  "docs/collection/creative-packs.postman_collection.json": "/docs/creative-packs.postman_collection.json",
};

const isElsewhere = (href: string): boolean => /^(https?:|mailto:|\/|#)/.test(href);

/**
 * The address that `href` of a document becomes; null where the site has no such page, so that only its words stay.
 * Throws where the clone has no such file: a link that leads nowhere is a fault of the document.
 */
export function siteAddress(documentPath: string, href: string): string | null {
  if (isElsewhere(href)) return href;
  const [file = "", fragment] = href.split("#");
  const path = normalize(`${dirname(documentPath)}/${file}`);
  if (!existsSync(inRoot(path))) throw new Failure(`${documentPath} links to ${href}, which is not there.`);
  const guide = GUIDES.find((each) => each.path === path);
  const address = guide === undefined ? SERVED[path] : `/docs/guides/${guide.slug}`;
  if (address === undefined) return null;
  return fragment === undefined ? address : `${address}#${fragment}`;
}
