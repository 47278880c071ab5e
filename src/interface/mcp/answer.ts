import {
  createMcpHandler,
  isJsonContentType,
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import type { Context } from "hono";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { LIMITS } from "#api/limits.ts";
import type { Scope } from "#api/scopes.ts";
import { isAgentToken } from "#domains/keys/secret.ts";
import { clock } from "#platform/clock.ts";
import { BUSY, createMutex, type Mutex } from "#platform/concurrency/mutex.ts";
import { log } from "#platform/log/log.ts";
import { writeScopeChallenge } from "../http/agent-challenge.ts";
import { presentedSecret, readKey } from "../http/authenticate.ts";
import { type AppEnv, finishAfterDisconnect } from "../http/context.ts";
import { refused } from "../http/envelope.ts";
import { publicOrigin } from "../http/origin.ts";
import { countInIsolate, countRequest, limitOf } from "../http/rate-limit.ts";
import { isLargeMessage, isOverlong, type Message, type ProtocolRefusal, readMessage } from "./message.ts";
import { createServer } from "./server.ts";
import { findTool } from "./tools/index.ts";

const toolCallSchema = z.object({
  method: z.literal("tools/call"),
  params: z.object({ name: z.string() }),
});

/** Time after which a large message loses its lock: longer than it takes to arrive at `LARGE_BYTES_PER_SECOND_MIN`. */
const LARGE_HELD_MS_MAX = 15_000;
const LARGE_BYTES_PER_SECOND_MIN = 131_072;
const LARGE_WAITING_MAX = 16;
const largeMessages = createMutex(LARGE_HELD_MS_MAX);

/** A workspace's large messages first wait for each other, so that each workspace has one place in the common queue. */
const OWN_HELD_MS_MAX = 60_000;
const OWN_WAITING_MAX = 4;
const ownMessages = new LRUCache<string, Mutex>({ max: 1_000 });

function ownMutex(workspaceId: string): Mutex {
  const mutex = ownMessages.get(workspaceId) ?? createMutex(OWN_HELD_MS_MAX);
  ownMessages.set(workspaceId, mutex);
  return mutex;
}

/** Route families in which tool calls count. */
const FAMILIES = ["read", "write", "jobs"] as const;

/**
 * Answers one message in the order of API §17.3: host and origin, key, count of the key's messages, length, window,
 * message. Reads nothing before the key is verified. Large messages are read and answered one at a time. A bad key
 * (401), a full window or too many large messages (429) get the API's envelope; a bad message gets the protocol's
 * error. A tool's refusal is returned as its result.
 */
export async function answerMessage(c: Context<AppEnv>): Promise<Response> {
  const foreign = findForeign(c);
  if (foreign !== null) return refuseMessage(c, foreign);
  const { countedAs, workspaceId } = await readKey(c, "for-reads");
  // Twice the sum of the families' limits, to leave room for previews. Messages beyond that are refused before they are
  // read.
  const messagesMax = 2 * FAMILIES.reduce((sum, family) => sum + limitOf(c.env.bindings, family), 0);
  countInIsolate(c, "agent-messages", countedAs, messagesMax);
  if (!isLargeMessage(c)) return answerRead(c, await readMessage(c));
  await countRequest(c, "upload-bytes", countedAs);
  c.set("isCountedUpload", true);
  if (isOverlong(c)) return answerRead(c, await readMessage(c));
  const work = () => readMessage(c, LARGE_BYTES_PER_SECOND_MIN).then((message) => answerRead(c, message));
  const inTurn = () => largeMessages.runSoon(work, LARGE_WAITING_MAX, LARGE_HELD_MS_MAX);
  const answering = ownMutex(workspaceId).runSoon(inTurn, OWN_WAITING_MAX, OWN_HELD_MS_MAX);
  const answer = await finishAfterDisconnect(c, answering);
  if (answer === BUSY) throw refused("SERVICE_BUSY", "Too many large messages wait.");
  return answer;
}

async function answerRead(c: Context<AppEnv>, message: Message): Promise<Response> {
  // The key may have been revoked while a slow sender sent the message.
  const isSlow = clock.now() - c.get("nowMs") >= LIMITS.keyMemoryMs;
  const { apiKeyId, countedAs, isOfAgent, scopes } = isSlow ? await readKey(c, "never") : c.get("principal");
  const call = toolCallSchema.safeParse(message.ok ? message.body : null);
  const tool = call.success ? findTool(call.data.params.name) : undefined;
  // A tool counts in its route's window; other requests count as reads.
  if (tool === undefined) await countRequest(c, "read", countedAs);
  else c.set("operation", `mcp.${tool.name}`);
  if (!message.ok) return refuseMessage(c, message.refusal);
  if (isOfAgent && tool?.scope && !scopes.includes(tool.scope)) {
    return refuseMessage(c, insufficientScope(c, tool.scope));
  }

  const faults: Error[] = [];
  const handler = createMcpHandler(() => createServer(c), {
    maxRequestBodySize: LIMITS.agentMessageBytesMax,
    // Answers are sent whole, so no connection needs keep-alive.
    keepAliveMs: 0,
    onerror: (fault) => faults.push(fault),
  });
  const response = await handler.fetch(c.req.raw, {
    authInfo: { token: apiKeyId, clientId: apiKeyId, scopes: [...scopes] },
    // The library refuses other content types.
    ...(isJsonContentType(c.req.header("Content-Type") ?? null) && { parsedBody: message.body }),
  });
  if (response.status >= 500) logFaults(c, faults);
  return sendBuffered(c, response);
}

/**
 * Buffers the answer, which is one message because no tool reports progress. Without this wait the request's log line
 * would be written too early, and the headers that the tool sets would be missing.
 */
async function sendBuffered(c: Context<AppEnv>, response: Response): Promise<Response> {
  const text = response.body === null ? null : await response.text();
  const headers = new Headers(response.headers);
  // Removes headers that the library sets for streams. Ours are the same for every answer.
  for (const name of ["Cache-Control", "Connection", "X-Accel-Buffering"]) headers.delete(name);
  return c.newResponse(text, new Response(null, { status: response.status, headers }));
}

const refuseMessage = (c: Context<AppEnv>, { status, code, message }: ProtocolRefusal): Response =>
  c.json({ jsonrpc: "2.0", id: null, error: { code, message } }, status);

/** Lets the agent ask its user for more scopes (RFC 6750 §3.1). A key's owner creates another key instead. */
function insufficientScope(c: Context<AppEnv>, scope: Scope): ProtocolRefusal {
  writeScopeChallenge(c, scope);
  return { status: 403, code: SERVER_ERROR, message: `The agent was not allowed ${scope}.` };
}

function logFaults(c: Context<AppEnv>, faults: readonly Error[]): void {
  for (const fault of faults) {
    log.failure(
      {
        event: "mcp_failed",
        operation: c.get("operation"),
      },
      fault,
    );
  }
}

/** JSON-RPC 2.0 reserves this code for servers' own errors. */
const SERVER_ERROR = -32_000;

/**
 * Host names of this origin. A deployed worker gets requests only for its own hosts: the platform routes by name. On a
 * developer's machine any name may resolve to it, so only local names are accepted there.
 */
function ownHostnames(c: Context<AppEnv>): string[] {
  const { hostname } = new URL(publicOrigin(c));
  if (c.env.bindings.ENVIRONMENT === "local")
    return [...localhostAllowedHostnames(), ...configuredHostname(c)];
  return [hostname, new URL(c.req.url).hostname];
}

const configuredHostname = (c: Context<AppEnv>): string[] =>
  c.env.bindings.PUBLIC_ORIGIN === undefined ? [] : [new URL(publicOrigin(c)).hostname];

/**
 * Whether a page of any origin may send the request. Agents that run in a web page may: with an agent's token, or
 * without credentials, to get the 401 that names the authorization server. This is safe on a deployed origin, because
 * its host name cannot be rebound by DNS.
 */
function mayBeOfAnyPage(c: Context<AppEnv>): boolean {
  if (c.env.bindings.ENVIRONMENT === "local") return false;
  const { headers } = c.req.raw;
  const secret = presentedSecret(headers);
  return secret === undefined
    ? !headers.has("Authorization") && !headers.has("X-API-Key")
    : isAgentToken(secret);
}

/**
 * Prevents DNS rebinding: refuses a request for another host, or from a page of another origin. Returns null if the
 * request may pass. A request without a Host header comes from within the platform and is for its URL.
 */
function findForeign(c: Context<AppEnv>): ProtocolRefusal | null {
  const own = ownHostnames(c);
  const host = validateHostHeader(c.req.header("Host") ?? new URL(c.req.url).host, own);
  const checked = host.ok && !mayBeOfAnyPage(c) ? validateOriginHeader(c.req.header("Origin"), own) : host;
  return checked.ok ? null : { status: 403, code: SERVER_ERROR, message: checked.message };
}
