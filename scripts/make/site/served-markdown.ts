/** Rewrites the links of guides that the site serves as Markdown. */
import { siteAddress } from "./guides.ts";

/** Matches code, which stays unchanged, and links and images: the `!` of an image, the text, and the target. */
const PART = /^```[\s\S]*?^```$|(!?)\[((?:`[^`\n]*`|[^`[\]])*)\]\(([^()\s]+)\)|`[^`\n]+`/gm;

/** Replaces the path of a guide's page with that of its Markdown. */
const asMarkdown = (address: string): string => address.replace(/^(\/docs\/guides\/[\w-]+)(?=#|$)/, "$1.md");

/** A document with links to Markdown pages of the site. If the site does not serve a target, only the text stays. */
export const servedMarkdown = (documentPath: string, text: string): string =>
  text.replace(PART, (part: string, mark = "", words = "", href: string | undefined) => {
    if (href === undefined) return part;
    const address = siteAddress(documentPath, href);
    return address === null ? words : `${mark}[${words}](${asMarkdown(address)})`;
  });
