import { familyWindowMs, LIMITS, ROUTE_FAMILIES, type RouteFamily } from "#api/limits.ts";
import { CREDITS_PER_SIZE } from "#api/prices.ts";
import { API_VERSION } from "#api/version.ts";

/** Introduction of the document, in Markdown: everything that applies to all operations. */

const MINUTE_MS = 60_000;

const families = (Object.keys(ROUTE_FAMILIES) as RouteFamily[])
  .filter((family) => familyWindowMs(family) === LIMITS.rateLimitWindowMs)
  .map((family) => `\`${family}\` ${ROUTE_FAMILIES[family]}`)
  .join(", ");

export const DESCRIPTION = `A metered API that turns a workspace's assets into creative packs: images, animations and videos in the sizes of ad
networks and social platforms.

**The flow.** Read the balance (\`GET /api/v1/balance\`), create an upload intent (\`POST /api/v1/assets/uploads\`), send the
bytes to its \`url\` with its \`method\` and \`headers\`, and complete the upload. Look at a preview, create a job and poll it
until it has ended. Then read the artifact's manifest and download single files or the pack as a ZIP. The catalogue describes
what a pack may contain: \`GET /api/v1/contracts\` lists the contracts, \`GET /api/v1/contracts/{contractId}\` the sizes of one.

**Cost.** A static size costs ${CREDITS_PER_SIZE.static} credit, an animated one ${CREDITS_PER_SIZE.animated}. Credits are reserved once, when the job is created, and
refunded in full if it fails or is canceled. A rejected request creates nothing and costs nothing.

**Keys.** Send the API key as \`Authorization: Bearer <key>\` or \`X-API-Key: <key>\`, from a server: browsers of other origins
are blocked. Every operation names the scope that it needs.

**Revocation.** Once a key is revoked or its workspace suspended, every operation that writes, spends or replays returns 401
(\`KEY_REVOKED\`, \`WORKSPACE_INACTIVE\`), and so does \`POST /api/v1/jobs\`, even for an invalid request. Operations with a
scope \`…:read\` may continue for at most ${LIMITS.keyMemoryMs / 1_000} seconds. Download links stop working when the workspace is suspended. They
outlive a revoked key until their own expiry, at most ${LIMITS.downloadLinkLifetimeMs / MINUTE_MS} minutes after they were created, or ${LIMITS.agentLinkLifetimeMs / MINUTE_MS} for an agent's links. A
download in progress is completed.

**Responses.** A success is \`{ ok: true, data, meta }\`, an error \`{ ok: false, error, meta }\`. \`error.code\` is for programs,
\`error.message\` for people. \`error.details.nextAction\` names the next step, and \`safeToRetryUnchanged\` whether the same
request may be sent again. If there is a \`Retry-After\` header, wait that many seconds first. Unknown members of a body are
rejected by name. Every response has an \`X-Request-ID\`: your own if you sent one (up to ${LIMITS.requestIdCharactersMax} printable ASCII characters).

**Idempotency.** Where \`Idempotency-Key\` is required, use a new key for each effect and repeat it if a response was lost. The
effect happens once, and the retry returns the first result with \`Idempotent-Replayed: true\`. An error frees the key. Keys of
jobs never expire; others are remembered for at least a day.

**Polling.** Wait \`Retry-After\` seconds before each poll of a job. \`succeeded\`, \`failed\` and \`canceled\` are final.

**Limits.** Requests are counted per key and route family in fixed windows of ${LIMITS.rateLimitWindowMs / MINUTE_MS === 1 ? "a minute" : `${LIMITS.rateLimitWindowMs / MINUTE_MS} minutes`}: ${families}
(an origin may set others). \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` describe the current window. A JSON body has at
most ${LIMITS.jsonBodyBytesMax} bytes, an upload ${LIMITS.uploadBytesMax}.

**Lists** are \`{ items, nextBefore }\`, newest first. Send \`nextBefore\` as \`before\` to get the next page, until it is null.

**Agents** connect to \`POST /mcp\` with the same API key. It speaks the Model Context Protocol and has a tool for each step of
the flow.

**Version** ${API_VERSION}. Later versions may add members to responses; ignore those that you do not know.`;
