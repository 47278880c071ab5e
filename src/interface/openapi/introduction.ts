import { familyWindowMs, LIMITS, ROUTE_FAMILIES, type RouteFamily } from "#api/limits.ts";
import { CREDITS_PER_SIZE } from "#api/prices.ts";
import { API_VERSION } from "#api/version.ts";

/** The introduction of the document: what holds for all operations. Markdown. */

const MINUTE_MS = 60_000;

const families = (Object.keys(ROUTE_FAMILIES) as RouteFamily[])
  .filter((family) => familyWindowMs(family) === LIMITS.rateLimitWindowMs)
  .map((family) => `\`${family}\` ${ROUTE_FAMILIES[family]}`)
  .join(", ");

export const DESCRIPTION = `A metered API that turns a workspace's assets into creative packs: image files, still or moving,
in the sizes that ad networks and social platforms take.

**The flow.** Read the balance (\`GET /api/v1/balance\`), create an upload intent (\`POST /api/v1/assets/uploads\`), send the
bytes to its \`url\` with its \`method\` and \`headers\`, complete the upload, look at a preview, create a job, poll it until it
has ended, read the artifact's manifest, and download the files or the whole pack as a ZIP. What a pack may contain is in
the catalogue: \`GET /api/v1/contracts\` lists the contracts, \`GET /api/v1/contracts/{contractId}\` the sizes of one.

**Cost.** A static size costs ${CREDITS_PER_SIZE.static} credit, an animated one ${CREDITS_PER_SIZE.animated}. They are reserved once, when the job is created, and
given back in full when it fails or is cancelled. A refused request creates nothing and costs nothing.

**Keys.** Send the API key as \`Authorization: Bearer <key>\` or as \`X-API-Key: <key>\`, from a server: no browser of another
origin is let in. Every operation names the scope that it needs.

**When a key ends.** From the moment that a key is revoked or its workspace suspended, whatever writes, spends or
replays answers 401 (\`KEY_REVOKED\`, \`WORKSPACE_INACTIVE\`) and nothing else; so does \`POST /api/v1/jobs\`, whatever is
wrong with the request. Operations that only read, those with a scope \`…:read\`, may go on answering for at most
${LIMITS.keyMemoryMs / 1_000} seconds. A download link opens nothing once its workspace is suspended; revoking the key that asked for it leaves
it to its own end, at most ${LIMITS.downloadLinkLifetimeMs / MINUTE_MS} minutes after it was given out, or ${LIMITS.agentLinkLifetimeMs / MINUTE_MS} where an agent was given it. What is on its way down at that moment arrives.

**Answers.** A success is \`{ ok: true, data, meta }\`, a refusal \`{ ok: false, error, meta }\`. \`error.code\` is for programs,
\`error.message\` for people; \`error.details.nextAction\` says what to do next, and \`safeToRetryUnchanged\` whether the same
request may be sent again as it is. Where \`Retry-After\` is given, wait so many seconds first. An unknown member of a body
is refused and named. \`X-Request-ID\` is in every answer, your own where you sent one (up to ${LIMITS.requestIdCharactersMax} printable ASCII characters).

**Once only.** Where \`Idempotency-Key\` is required, choose a new one for each effect and send the same one when an answer
was lost: the effect happens once, and the first result is shown again with \`Idempotent-Replayed: true\`. A refusal frees
the key. A job's key is remembered for good, the others for at least a day.

**Polling.** Wait \`Retry-After\` seconds before each poll of a job. \`succeeded\`, \`failed\` and \`canceled\` are final.

**Limits.** Requests are counted for each key and route family in fixed windows of ${LIMITS.rateLimitWindowMs / MINUTE_MS === 1 ? "a minute" : `${LIMITS.rateLimitWindowMs / MINUTE_MS} minutes`}: ${families}
(an origin may set others). \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` tell how the window stands. A JSON body has at
most ${LIMITS.jsonBodyBytesMax} bytes, an upload ${LIMITS.uploadBytesMax}.

**Lists** are \`{ items, nextBefore }\`, newest first: send \`nextBefore\` as \`before\` for the next page, until it is null.

**Agents** connect to \`POST /mcp\` with the same API key: the Model Context Protocol, with a tool for each step of the flow.

**Version** ${API_VERSION}. Members may be added to answers: pass over those that you do not know.`;
