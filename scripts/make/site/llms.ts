/** The documentation for language models, as specified by llmstxt.org: an index, and all guides in one file. */

import { type Guide, groupsOf, guideAddress } from "./guide-pages.ts";

const BLURB = `# Creative Packs

> A metered HTTP API that turns a workspace's assets (a photo, a logo, a font, some words) into creative packs: image files
> in the sizes that ad networks and social platforms take, each laid out for its size, under its byte cap, with a report of
> what was cropped, shrunk or left out. A static size costs one credit.

- Send the API key as \`Authorization: Bearer <key>\`. \`POST /api/v1/agent/trial-key\` gives a trial key without an account.
- Send an \`Idempotency-Key\` with what creates something, and the same one again when an answer was lost.
- A refusal says what to do next in \`error.details.nextAction\`, and in \`safeToRetryUnchanged\` whether to send it again as it is.
- Agents: this origin speaks MCP at \`/mcp\` (Streamable HTTP, the API key as bearer token): see [Connect an agent](/docs/guides/mcp.md).
`;

const linkTo = (guide: Guide): string => `- [${guide.title}](${guideAddress(guide)}.md): ${guide.about}`;

/** Content of llms.txt: the index. */
export function llmsIndex(guides: readonly Guide[]): string {
  const groups = groupsOf(guides).map(
    ({ title, guides: own }) => `## ${title}\n\n${own.map(linkTo).join("\n")}\n`,
  );
  const machine = `## For programs

- [OpenAPI](/openapi.json): every operation, shape, example and error code.
- [Contracts](/api/v1/contracts): what can be ordered now; the sizes of one at \`/api/v1/contracts/{contractId}\`.
- [Postman collection](/docs/creative-packs.postman_collection.json): every operation with its example.
`;
  const rest = `## Optional\n\n- [Everything in one file](/llms-full.txt): all pages above, one after the other.\n`;
  return [BLURB, ...groups, machine, rest].join("\n");
}

/** A guide inside llms-full.txt: links to its own sections get the guide's path. */
const inOneFile = (guide: Guide): string =>
  guide.markdown.trim().replaceAll("](#", `](${guideAddress(guide)}.md#`);

/** Content of llms-full.txt: all guides. */
export const llmsFull = (guides: readonly Guide[]): string =>
  [BLURB, ...guides.map(inOneFile)].join("\n\n---\n\n").concat("\n");
