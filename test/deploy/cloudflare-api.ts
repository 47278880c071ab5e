import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { RemoteD1 } from "./remote-d1.ts";

/** The id of a database that is made. */
export const NEW_DATABASE_ID = "22222222-2222-4222-8222-222222222222";

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

/** The import endpoint: a file is sent to an address of its own, ingested, and asked about until it is over. */
function answerImport(
  database: RemoteD1 | undefined,
  uploaded: ReadonlyMap<string, string>,
  url: URL,
  body: string,
): Answer {
  if (!database) return missing("no such database");
  const { action, etag, current_bookmark: bookmark } = JSON.parse(body) as Readonly<Record<string, string>>;
  if (action === "init") return found({ filename: etag, upload_url: `${url.origin}/upload/${etag}` });
  if (action === "ingest") {
    return found({ success: true, type: "import", status: "active", messages: [], at_bookmark: etag });
  }
  const sql = uploaded.get(bookmark ?? "");
  if (sql === undefined) return missing("no such file");
  try {
    database.import(sql);
    const meta = { duration: 1, rows_read: 0, rows_written: 0, size_after: 0 };
    const result = { num_queries: 1, final_bookmark: "after", meta };
    return found({ success: true, type: "import", status: "complete", messages: [], result });
  } catch (thrown) {
    return found({ success: false, type: "import", status: "error", error: `${thrown}`, messages: [] });
  }
}

function answerQueues(account: Account, url: URL): Answer {
  const names = url.searchParams.getAll("name");
  const queues = [...account.queues].filter((name) => names.length === 0 || names.includes(name));
  return found(
    queues.map((name) => ({
      queue_id: name,
      queue_name: name,
      producers: [],
      producers_total_count: 0,
      consumers: [],
      consumers_total_count: 0,
      settings: {},
    })),
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

function answerOf(
  account: Account,
  uploaded: ReadonlyMap<string, string>,
  method: string,
  url: URL,
  body: string,
): Answer {
  const path = url.pathname.replace(/^\/client\/v4\/accounts\/[^/]+/, "");
  const database = /^\/d1\/database\/([^/]+)(\/query|\/import)?$/.exec(path);
  if (database) {
    const known = account.databases.get(database[1] ?? "");
    if (database[2] === "/query") return answerQuery(known, body);
    if (database[2] === "/import") return answerImport(known, uploaded, url, body);
    return known ? found({ uuid: database[1], name: "creative-packs" }) : missing("no such database");
  }
  if (method === "POST" && path === "/d1/database") {
    account.databases.set(NEW_DATABASE_ID, new RemoteD1());
    return found({ ...JSON.parse(body), uuid: NEW_DATABASE_ID });
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

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
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
  /** Files that were sent for an import, by the MD5 of their bytes. */
  readonly #uploaded = new Map<string, string>();
  readonly #server: Server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    const method = request.method ?? "GET";
    this.requests.push(`${method} ${url.pathname}`);
    const sent = await readBody(request);
    if (url.pathname.startsWith("/upload/")) {
      const etag = createHash("md5").update(sent).digest("hex");
      this.#uploaded.set(etag, sent.toString("utf8"));
      response.writeHead(200, { ETag: `"${etag}"` }).end();
      return;
    }
    const body = sent.toString("latin1");
    const { status, result, message } = answerOf(this.account, this.#uploaded, method, url, body);
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
