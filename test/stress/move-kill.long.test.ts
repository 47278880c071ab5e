import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Databases, everyDatabase } from "#platform/databases/databases.ts";
import { seededRandom } from "../support/pictures.ts";
import { countsOf, seedRows, wholeWorkspace } from "../support/whole-workspace.ts";
import { imbalance, isOpen, misbooked, readBooks } from "./books.ts";
import {
  type Answer,
  ask,
  atATime,
  isMoving,
  jobRequest,
  type Sent,
  sendLogo,
  untilNextLook,
  uploadLogo,
} from "./http-client.ts";
import { type LocalService, type LocalWorkspace, startLocalService } from "./local-service.ts";
import { homeOf, startMover, untilServed } from "./mover.ts";
import { killInPhases } from "./phase-killer.ts";
import { reportStress } from "./report.ts";
import { stressScale } from "./scale.ts";
import { untilEnded } from "./until-ended.ts";
import { SWEEPS_FROM_AFAR } from "./workers/operated-variables.ts";

/**
 * Guarantee: however often the whole process is killed while workspaces move, each row ends in one database, once and as it
 * was; the ledger says what was drawn; reads are answered all the while, and writes or 429 SERVICE_BUSY; and keys and
 * Idempotency-Keys of before are good after.
 */

const SHARDS = 4;
/** Rows in each table of workspaces that have rows of every kind, and that nothing but moves touches. */
const ROWS_OF_KEPT = [80, 80, 400];
/** Workspaces that are written to while they move. */
const WRITTEN = 3;
const CREDITS = 5_000;
/** What is due in rows that no sweep is to touch. */
const FAR_MS = 400 * 86_400_000;
const AT_A_TIME = 8;
const KEYS_MAX = 8;
/** Each pack is waited for so often, and then a moment: now and then nothing is under way, which a move waits for. */
const LOOKS_MAX = 20;
const WRITE_PAUSE_MS = 500;
const READ_PAUSE_MS = 200;
/** Each workspace moves, and some do so again after the last kill. */
const MOVES_MIN = 12;
/** After a request that met a dead process, or was told to wait. */
const PAUSE_MS_MIN = 50;

let service: LocalService;
beforeAll(async () => {
  const kept = ROWS_OF_KEPT.map(() => 0);
  const grants = [...kept, ...Array.from({ length: WRITTEN }, () => CREDITS)];
  // Moves take as long as on the platform: kills find them anywhere.
  service = await startLocalService(grants, { [SWEEPS_FROM_AFAR]: "true" }, SHARDS);
});
afterAll(() => service.stop());

function databases(): Databases {
  if (service.databases === null) throw new Error("a service without shards");
  return service.databases;
}

/** What clients met that they should not have. */
const faults: string[] = [];
let refusals = 0;
let reads = 0;
let restarting: Promise<void> | null = null;

/** Sends a request until it is answered: again where the process died, and where it was told to. */
async function insist(sent: Sent): Promise<Answer> {
  for (;;) {
    await restarting;
    let answer: Answer;
    try {
      answer = await ask(service.worker().origin, sent);
    } catch {
      await delay(PAUSE_MS_MIN);
      continue;
    }
    const isEarly = answer.body?.error?.code === "IDEMPOTENCY_IN_PROGRESS";
    if (answer.status < 500 && !isEarly && !isMoving(answer)) return answer;
    const what = `${sent.method} ${sent.path}: ${answer.status} ${JSON.stringify(answer.body)}`;
    if (isMoving(answer)) refusals += 1;
    if (!isEarly && !(isMoving(answer) && sent.method !== "GET")) faults.push(what);
    if (answer.retryAfterS === null) faults.push(`no Retry-After: ${what}`);
    await delay(Math.max(PAUSE_MS_MIN, (answer.retryAfterS ?? 0) * 1_000));
  }
}

interface Client {
  readonly workspace: LocalWorkspace;
  readonly logoId: string;
  /** All keys of the workspace that a client was given, the first one first. */
  readonly secrets: string[];
  /** Jobs that were promised, by their Idempotency-Keys. */
  readonly jobs: Map<string, string>;
  readonly assetIds: string[];
}

const requestOf = ({ secrets, logoId }: Client, idempotencyKey: string): Sent =>
  jobRequest(secrets[0] ?? "", logoId, idempotencyKey);

async function createJob(client: Client): Promise<string> {
  const key = `job-${client.jobs.size}`;
  const { status, body } = await insist(requestOf(client, key));
  if (status !== 202 && status !== 200) throw new Error(`a job was refused: ${JSON.stringify(body)}`);
  client.jobs.set(key, String(body.data.jobId));
  return String(body.data.jobId);
}

/** Uploads the logo, from the start where the service was dead until the upload had expired. */
async function uploadAnew(secret: string): Promise<string> {
  for (;;) {
    const { assetId, completed } = await sendLogo(insist, secret);
    if (completed.status === 200) return assetId;
    if (completed.body.error.code !== "UPLOAD_EXPIRED") {
      throw new Error(`the logo was refused: ${JSON.stringify(completed.body)}`);
    }
  }
}

/** Waits until a job is drawn, or until it is clear that its message died with a process. */
async function untilDrawn({ workspace }: Client, jobId: string): Promise<void> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const { body } = await insist({
      method: "GET",
      path: `/api/v1/jobs/${jobId}`,
      secret: workspace.secret,
    });
    if (!isOpen(body.data)) return;
    await untilNextLook();
  }
}

/** Writes what a workspace at work does, in turn: jobs, some canceled, uploads, keys. */
async function write(client: Client, isOver: () => boolean): Promise<void> {
  const secret = client.workspace.secret;
  for (let turn = 0; !isOver(); turn += 1) {
    const jobId = await createJob(client);
    if (turn % 3 === 0) await insist({ method: "POST", path: `/api/v1/jobs/${jobId}/cancel`, secret });
    if (turn % 4 === 1) client.assetIds.push(await uploadAnew(secret));
    if (turn % 20 === 0 && client.secrets.length < KEYS_MAX) {
      const { status, body } = await insist({
        method: "POST",
        path: "/api/v1/api-keys",
        secret,
        body: { name: `Key ${turn}`, scopes: ["jobs:read", "assets:read"] },
      });
      if (status === 201) client.secrets.push(String(body.data.secret));
      else faults.push(`no key: ${status} ${JSON.stringify(body)}`);
    }
    await untilDrawn(client, jobId);
    await delay(WRITE_PAUSE_MS);
  }
}

/** Reads what stands, which is found at every moment: each of the paths in turn is answered with 200. */
async function read(
  secret: string,
  pathAt: (turn: number) => string,
  isOver: () => boolean,
  isRight: (answer: Answer) => boolean = () => true,
): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    const path = pathAt(turn);
    const answer = await insist({ method: "GET", path, secret });
    reads += 1;
    if (answer.status !== 200 || !isRight(answer)) {
      faults.push(`GET ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    await delay(READ_PAUSE_MS);
  }
}

/** What a busy client reads: its lists, and each job that it was promised. */
function readingPath({ jobs }: Client, turn: number): string {
  const paths = ["balance", "jobs?limit=20", "usage?limit=20", "assets?limit=20"];
  const path = paths[turn % (2 * paths.length)];
  const promised = [...jobs.values()];
  return `/api/v1/${path ?? `jobs/${promised[turn % promised.length]}`}`;
}

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** When a key was last used is no part of what must stay. */
const withoutUse = (rows: Rows): Rows => ({
  ...rows,
  api_keys: (rows.api_keys ?? []).map(({ last_used_at: _, ...row }) => row),
});

const rowsOf = (workspaceId: string): Promise<Rows> =>
  untilServed(async () => {
    const { db } = await homeOf(databases(), workspaceId);
    return withoutUse(await wholeWorkspace(db, workspaceId));
  });

/** Rows that are never changed once they are there; what is added comes behind them. */
const LASTING = ["ledger_events", "idempotency_keys", "assets"] as const;

/** How many of these rows are not there any more, or otherwise. */
function countMissing(before: Rows, after: Rows, tables: readonly string[]): number {
  return tables.reduce((count, table) => {
    const found = new Set((after[table] ?? []).map((row) => JSON.stringify(row)));
    return count + (before[table] ?? []).filter((row) => !found.has(JSON.stringify(row))).length;
  }, 0);
}

/** Rows that lie in databases where their workspace does not live, but for its own row and its keys. */
async function countLeftBehind(workspaceId: string): Promise<number> {
  const { home } = await homeOf(databases(), workspaceId);
  let count = 0;
  for (const { home: other, db } of everyDatabase(databases())) {
    if (other === home) continue;
    const { workspaces: _, api_keys: __, ...rest } = await countsOf(db, workspaceId);
    count += Object.values(rest).reduce((sum, rows) => sum + rows, 0);
  }
  return count;
}

it("killed at random points of moves, the service loses no row and writes none twice", async ({ task }) => {
  const { kills, seed } = stressScale();
  const chosenSeed = seed ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  console.log(`STRESS_SEED=${chosenSeed} chooses these kills again`);
  const random = seededRandom(chosenSeed);
  const kept = service.workspaces.slice(0, ROWS_OF_KEPT.length);
  for (const [at, { workspaceId }] of kept.entries()) {
    const { db } = await homeOf(databases(), workspaceId);
    const rows = { workspaceId, count: ROWS_OF_KEPT[at] ?? 0, dueAt: Date.now() + FAR_MS };
    await untilServed(() => seedRows(db, rows));
  }
  const clients: Client[] = [];
  for (const workspace of service.workspaces.slice(kept.length)) {
    const logoId = await uploadLogo(service.worker().origin, workspace.secret);
    const client = { workspace, logoId, secrets: [workspace.secret], jobs: new Map(), assetIds: [logoId] };
    clients.push(client);
    for (let job = 0; job < 20; job += 1) await createJob(client);
  }
  await service.sweep();
  const workspaceIds = service.workspaces.map(({ workspaceId }) => workspaceId);
  const before = new Map<string, Rows>();
  for (const workspaceId of workspaceIds) before.set(workspaceId, await rowsOf(workspaceId));

  const mover = startMover(service, databases(), workspaceIds, random);
  let isOver = false;
  const working = Promise.all([
    ...clients.flatMap((client) => [
      write(client, () => isOver),
      read(
        client.workspace.secret,
        (turn) => readingPath(client, turn),
        () => isOver,
      ),
    ]),
    ...kept.map(({ secret }) =>
      read(
        secret,
        () => "/api/v1/balance",
        () => isOver,
        ({ body }) => body.data.subscription.quota.remaining === 100,
      ),
    ),
  ]);
  const killing = killInPhases(service, databases(), kills, random, async (laterMs) => {
    restarting = service.killAndRestart(laterMs);
    await restarting;
    restarting = null;
  });
  const killed = await Promise.race([killing, mover.failure]);
  console.log(`Killed while moves were ${JSON.stringify(killed)}`);
  const made = await mover.stop(MOVES_MIN);
  isOver = true;
  await working;

  let [hung, lost, duplicated] = [made.undone, faults.length, 0];
  for (const { workspaceId } of kept) {
    const [was, is] = [before.get(workspaceId) ?? {}, await rowsOf(workspaceId)];
    lost += countMissing(was, is, Object.keys(was));
    duplicated += countMissing(is, was, Object.keys(is));
  }
  for (const workspaceId of workspaceIds) {
    duplicated += await untilServed(() => countLeftBehind(workspaceId));
  }
  let jobs = 0;
  for (const client of clients) {
    const { workspaceId, secret } = client.workspace;
    hung += await untilEnded(service, insist, secret);
    const books = await readBooks(insist, secret);
    const stored = new Set(books.jobs.map(({ jobId }) => jobId));
    const rows = await rowsOf(workspaceId);
    const assetIds = new Set((rows.assets ?? []).map(({ asset_id: assetId }) => assetId));
    lost += [...client.jobs.values()].filter((jobId) => !stored.has(jobId)).length;
    lost += client.assetIds.filter((assetId) => !assetIds.has(assetId)).length;
    lost += countMissing(before.get(workspaceId) ?? {}, rows, LASTING) + imbalance(books);
    duplicated += books.jobs.length - client.jobs.size + misbooked(books).length;
    const spent = books.jobs.filter(({ status }) => status === "succeeded").length;
    lost += Math.abs(CREDITS - spent - books.credits);
    jobs += client.jobs.size;
    const replays = await atATime(AT_A_TIME, [...client.jobs], async ([key, jobId]) => {
      const { status, body } = await insist(requestOf(client, key));
      return status === 200 && body.data.jobId === jobId;
    });
    duplicated += replays.filter((is) => !is).length;
    for (const known of client.secrets) {
      const { status } = await insist({ method: "GET", path: "/api/v1/jobs", secret: known });
      if (status !== 200) faults.push(`an old key is answered with ${status}`);
    }
    await createJob(client);
  }
  console.log(faults.slice(0, 20).join("\n"));
  reportStress(task, {
    counts: { kills, moves: made.done, "jobs through moves": jobs, "writes refused": refusals, reads },
    ...{ lost, duplicated, hung },
  });
  expect({ faults, lost, duplicated, hung }).toEqual({ faults: [], lost: 0, duplicated: 0, hung: 0 });
});

it("its logs tell nothing", async ({ task }) => {
  const { lines, tellTale } = await service.readLogs();
  reportStress(task, { counts: { "log lines read": lines }, leaked: tellTale.length });
  expect(tellTale.slice(0, 10)).toEqual([]);
});
