import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { z } from "zod";
import { RemoteD1 } from "./remote-d1.ts";

/** The id of a newly created database. */
export const NEW_DATABASE_ID = "22222222-2222-4222-8222-222222222222";

/** Metadata of a script's upload. */
const METADATA = z.object({
  limits: z.object({ cpu_ms: z.number() }),
  bindings: z.array(z.object({ type: z.string(), script_name: z.string().optional() })),
});

/** A Worker of the account. */
interface Script {
  readonly secrets: Set<string>;
  readonly crons: unknown[];
  cpuMs: number;
  /** Scripts that define the Durable Objects of its bindings; undefined for the script itself. */
  objectsOf: readonly (string | undefined)[];
  isReachable: boolean;
}

/** The account in which deployments are rehearsed. */
export interface Account {
  /** Databases by id. */
  readonly databases: Map<string, RemoteD1>;
  readonly buckets: Set<string>;
  readonly queues: Set<string>;
  /** The consumer script of each queue; the platform refuses a second one. */
  readonly consumers: Map<string, string>;
  readonly scripts: Map<string, Script>;
  /** Names of uploaded scripts, in order. */
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

/** The import endpoint: a file is uploaded to its own URL, ingested, and polled until it is done. */
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

const consumersOf = ({ consumers }: Account, queue: string) =>
  [consumers.get(queue)].flatMap((script) =>
    script === undefined ? [] : [{ consumer_id: "c", type: "worker", script }],
  );

function answerConsumers(account: Account, method: string, queue: string, body: string): Answer {
  const consumer = account.consumers.get(queue);
  if (method === "DELETE") account.consumers.delete(queue);
  else if (method === "POST" && consumer !== undefined)
    return { status: 400, result: null, message: `Queue ${queue} already has a consumer.` };
  else
    account.consumers.set(queue, z.object({ script_name: z.string() }).parse(JSON.parse(body)).script_name);
  return found({});
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
      consumers: consumersOf(account, name),
      consumers_total_count: consumersOf(account, name).length,
      settings: {},
    })),
  );
}

/** Stores a script's metadata. Refuses bindings to Durable Objects of a script that does not exist. */
function answerUpload(account: Account, name: string, body: string): Answer {
  const [, json = ""] = /name="metadata"[^{]*({.*})\r\n/.exec(body) ?? [];
  const { limits, bindings } = METADATA.parse(JSON.parse(json));
  const objects = bindings.filter(({ type }) => type === "durable_object_namespace");
  const objectsOf = objects.map(({ script_name: owner }) => owner);
  const unknown = objectsOf.find((owner) => owner !== undefined && !account.scripts.has(owner));
  if (unknown !== undefined) return { status: 400, result: null, message: `${unknown} does not exist.` };
  account.uploads.push(name);
  const before = account.scripts.get(name) ?? { secrets: new Set(), crons: [], isReachable: true };
  account.scripts.set(name, { ...before, cpuMs: limits.cpu_ms, objectsOf });
  return found({ id: name, etag: "e", resources: { script: { etag: "e" } }, startup_time_ms: 1 });
}

function answerScript(account: Account, method: string, path: string, body: string): Answer {
  const [name = "", part] = path.split("/");
  if (part === "assets-upload-session") return found({ jwt: "a.b.c", buckets: [] });
  // Wrangler uploads a version if the script exists and has no migrations of Durable Objects; otherwise it uploads the
  // script.
  if (method === "PUT" && part === undefined) return answerUpload(account, name, body);
  if (method === "POST" && part === "versions") return answerUpload(account, name, body);
  const script = account.scripts.get(name);
  if (script === undefined) return missing("This Worker does not exist on your account.");
  if (part === "secrets")
    return found([...script.secrets].map((secret) => ({ name: secret, type: "secret_text" })));
  if (part === "deployments") return found({ deployments: [] });
  if (part === "subdomain") {
    if (method === "POST")
      script.isReachable = z.object({ enabled: z.boolean() }).parse(JSON.parse(body)).enabled;
    return found({ enabled: script.isReachable, previews_enabled: false });
  }
  if (part === "settings") return found({ bindings: [], tags: [] });
  if (part === "schedules" && method === "PUT") {
    script.crons.splice(0, script.crons.length, ...z.array(z.unknown()).parse(JSON.parse(body)));
  }
  return part === "schedules" ? found({ schedules: script.crons }) : found({ id: name });
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
  const [, consumed] = /^\/queues\/([^/]+)\/consumers/.exec(path) ?? [];
  if (consumed !== undefined) return answerConsumers(account, method, consumed, body);
  if (path.startsWith("/queues")) return answerQueues(account, url);
  if (path.startsWith("/workers/services/")) {
    return account.scripts.has(path.split("/")[3] ?? "")
      ? found({
          default_environment: { environment: "production", script: { last_deployed_from: "wrangler" } },
        })
      : missing("workers.api.error.service_not_found");
  }
  if (path.startsWith("/workers/scripts/")) {
    return answerScript(account, method, path.slice("/workers/scripts/".length), body);
  }
  if (path.startsWith("/workers/workers/")) {
    const isReachable = account.scripts.get(path.split("/")[3] ?? "")?.isReachable ?? true;
    return found({ subdomain: { enabled: isReachable, previews_enabled: false } });
  }
  if (path === "/workers/subdomain") return found({ subdomain: "rehearsal" });
  return found([]);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The part of Cloudflare's API that a deployment uses, on loopback. `requests` records the calls. */
export class CloudflareApi {
  readonly account: Account = {
    databases: new Map(),
    buckets: new Set(),
    queues: new Set(),
    consumers: new Map(),
    scripts: new Map(),
    uploads: [],
  };
  readonly requests: string[] = [];
  /** Uploaded files to import, by the MD5 of their bytes. */
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

  /** Starts listening, and returns the URL for wrangler's CLOUDFLARE_API_BASE_URL. */
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
