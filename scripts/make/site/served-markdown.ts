/** Guides as they are served in Markdown: their links lead to other pages of the site. */
import { siteAddress } from "./guides.ts";

/** Code, which stays as it is, or a link or picture: its mark, its words and its target. */
const PART = /^```[\s\S]*?^```$|(!?)\[((?:`[^`\n]*`|[^`[\]])*)\]\(([^()\s]+)\)|`[^`\n]+`/gm;

/** A page's address → that of its Markdown; other addresses stay. */
const asMarkdown = (address: string): string => address.replace(/^(\/docs\/guides\/[\w-]+)(?=#|$)/, "$1.md");

/** `text` of a document of the repository. A link or picture that the site does not serve becomes its words. */
export const servedMarkdown = (documentPath: string, text: string): string =>
  text.replace(PART, (part: string, mark = "", words = "", href: string | undefined) => {
    if (href === undefined) return part;
    const address = siteAddress(documentPath, href);
    return address === null ? words : `${mark}[${words}](${asMarkdown(address)})`;
  });
