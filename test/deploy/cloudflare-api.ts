import { createServer, type IncomingMessage, type Server } from "node:http";
import type { RemoteD1 } from "./remote-d1.ts";

/** What exists in the account that deployments are rehearsed in. */
export interface Account {
  /** By id; an id that is not here is unknown. */
  readonly databases: Map<string, RemoteD1>;
  readonly buckets: Set<string>;
  readonly queues: Set<string>;
  readonly secrets: Set<string>;
  /** Names of scripts whose bytes were uploaded, in order. */
  readonly uploads: string[];
}

type Answer = { readonly status: number; readonly result: unknown; readonly message?: string };

const found = (result: unknown): Answer => ({ status: 200, result });
const missing = (message: string): Answer => ({ status: 404, result: null, message });

function answerQuery(database: RemoteD1 | undefined, body: string): Answer {
  if (!database) return missing("no such database");
  const { sql } = JSON.parse(body) as { sql: string };
  try {
    return found(database.query(sql));
  } catch (thrown) {
    return {
      status: 400,
      result: null,
      message: `${thrown instanceof Error ? thrown.message : thrown}: SQLITE_ERROR`,
    };
  }
}

function answerQueues(account: Account, url: URL): Answer {
  const names = url.searchParams.getAll("name");
  const queues = [...account.queues].filter((name) => names.length === 0 || names.includes(name));
  return found(
    queues.map((name) => ({ queue_id: name, queue_name: name, producers: [], consumers: [], settings: {} })),
  );
}

function answerScript(account: Account, method: string, path: string): Answer {
  const isDeployed = account.uploads.length > 0;
  if (path.endsWith("/secrets")) {
    if (!isDeployed) return missing("This Worker does not exist on your account.");
    return found([...account.secrets].map((name) => ({ name, type: "secret_text" })));
  }
  if (path.endsWith("/deployments")) return found({ deployments: [] });
  if (path.endsWith("/assets-upload-session")) return found({ jwt: "a.b.c", buckets: [] });
  if (path.endsWith("/subdomain")) return found({ enabled: true, previews_enabled: false });
  if (path.endsWith("/settings")) return found({ bindings: [], tags: [] });
  if (path.endsWith("/schedules")) return found({ schedules: [] });
  if (method === "PUT") {
    account.uploads.push(path);
    return found({ id: "creative-packs", etag: "e", startup_time_ms: 1, entry_point: "worker.js" });
  }
  return isDeployed
    ? found({ id: "creative-packs" })
    : missing("This Worker does not exist on your account.");
}

function answerOf(account: Account, method: string, url: URL, body: string): Answer {
  const path = url.pathname.replace(/^\/client\/v4\/accounts\/[^/]+/, "");
  const database = /^\/d1\/database\/([^/]+)(\/query)?$/.exec(path);
  if (database) {
    const known = account.databases.get(database[1] ?? "");
    if (database[2]) return answerQuery(known, body);
    return known ? found({ uuid: database[1], name: "creative-packs" }) : missing("no such database");
  }
  if (path.startsWith("/r2/buckets/")) {
    const name = path.slice("/r2/buckets/".length);
    return account.buckets.has(name) ? found({ name }) : missing("The specified bucket does not exist.");
  }
  if (path.startsWith("/queues")) return path.includes("/consumers") ? found({}) : answerQueues(account, url);
  if (path.startsWith("/workers/services/")) {
    return account.uploads.length > 0
      ? found({
          default_environment: { environment: "production", script: { last_deployed_from: "wrangler" } },
        })
      : missing("workers.api.error.service_not_found");
  }
  if (path.startsWith("/workers/scripts/")) return answerScript(account, method, path);
  if (path.startsWith("/workers/workers/"))
    return found({ subdomain: { enabled: true, previews_enabled: false } });
  if (path === "/workers/subdomain") return found({ subdomain: "rehearsal" });
  return found([]);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("latin1");
}

/** The part of Cloudflare's API that a deployment asks, on loopback. What it is asked is kept in `requests`. */
export class CloudflareApi {
  readonly account: Account = {
    databases: new Map(),
    buckets: new Set(),
    queues: new Set(),
    secrets: new Set(),
    uploads: [],
  };
  readonly requests: string[] = [];
  readonly #server: Server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const method = request.method ?? "GET";
    this.requests.push(`${method} ${url.pathname}`);
    const { status, result, message } = answerOf(this.account, method, url, await readBody(request));
    const errors = message === undefined ? [] : [{ code: status === 404 ? 10_007 : 7_500, message }];
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(
      JSON.stringify({
        success: message === undefined,
        errors,
        messages: [],
        result,
        result_info: { page: 1, per_page: 100, total_pages: 1, count: 1, total_count: 1 },
      }),
    );
  });

  /** Starts listening and gives the address that wrangler takes as CLOUDFLARE_API_BASE_URL. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the server has no port");
    return `http://127.0.0.1:${address.port}/client/v4`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
