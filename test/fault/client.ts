import { LIMITS } from "#api/limits.ts";
import { TEN_SIZE_IDS, WORDS } from "../../bench/pack-of-ten.ts";
import { createWorkspace, type WorkspaceRequest } from "../support/workspace.ts";
import { LOGO } from "./logo.ts";
import type { Reply, World } from "./world.ts";

/** A client that repeats each request unchanged until it gets an answer. */

export interface Caller {
  readonly workspaceId: string;
  readonly secret: string;
}

export interface Intent {
  readonly uploadId: string;
  readonly assetId: string;
}

/** Sends a POST with an Idempotency-Key. First clears the lock of a dead request, as the end of its lease would. */
async function post(
  world: World,
  { workspaceId, secret }: Caller,
  path: string,
  body: unknown,
  idempotencyKey: string,
): Promise<Reply> {
  await world.clearLock(workspaceId, idempotencyKey);
  const headers = { "Idempotency-Key": idempotencyKey };
  return world.request({ method: "POST", path, secret, body, headers });
}

export const newCaller = async (request: WorkspaceRequest): Promise<Caller> => createWorkspace(request);

const INTENT = { slotId: "logo", fileName: "logo.svg", mimeType: "image/svg+xml" };

export const postIntent = (world: World, caller: Caller, byteLength = LOGO.byteLength, key = "intent") =>
  post(world, caller, "/api/v1/assets/uploads", { ...INTENT, byteLength }, key);

export async function newIntent(
  world: World,
  caller: Caller,
  byteLength?: number,
  key?: string,
): Promise<Intent> {
  const { status, body } = await postIntent(world, caller, byteLength, key);
  if (status !== 201) throw new Error(`the intent was refused: ${JSON.stringify(body)}`);
  return body.data;
}

export const putBytes = (world: World, { secret }: Caller, { uploadId }: Intent, bytes = LOGO) =>
  world.request({
    method: "PUT",
    path: `/api/v1/assets/uploads/${uploadId}/object`,
    secret,
    body: bytes,
    headers: { "Content-Type": "image/svg+xml" },
  });

export const postCompletion = (
  world: World,
  caller: Caller,
  { uploadId, assetId }: Intent,
  byteLength = LOGO.byteLength,
  key = "completion",
) => post(world, caller, `/api/v1/assets/uploads/${uploadId}/complete`, { assetId, byteLength }, key);

const LOGO_URL = "https://images.customer.example/logo.svg?token=secret";

/** Requests an import of a logo. */
export const postImport = (world: World, caller: Caller, key = "import") =>
  post(world, caller, "/api/v1/assets/imports", { slotId: "logo", url: LOGO_URL, fileName: "logo.svg" }, key);

/** Uploads a logo, with Idempotency-Keys that begin with `name`. */
export async function readyLogo(world: World, caller: Caller, name = ""): Promise<Intent> {
  const intent = await newIntent(world, caller, undefined, `${name}intent`);
  await putBytes(world, caller, intent);
  const { status } = await postCompletion(world, caller, intent, undefined, `${name}completion`);
  if (status !== 200) throw new Error("the logo was refused");
  return intent;
}

/** A workspace with a ready logo. */
export async function callerWithLogo(world: World, request: WorkspaceRequest) {
  const caller = await newCaller(request);
  return { ...caller, ...(await readyLogo(world, caller)) };
}

export const SIZE_IDS = ["iab-320x50", "iab-120x60"];

/** A job's sizes that are split into two parts: one of four sizes, and one of a single size. */
export const TWO_PARTS = {
  selectedSizeIds: [...SIZE_IDS, "iab-300x50", "gads-320x50", "gads-300x50"],
};

export const postJob = (
  world: World,
  caller: Caller & Intent,
  changes: Record<string, unknown> = {},
  idempotencyKey = "job",
) =>
  post(
    world,
    caller,
    "/api/v1/jobs",
    { contractId: "display.v1", selectedSizeIds: SIZE_IDS, assetIds: { logo: caller.assetId }, ...changes },
    idempotencyKey,
  );

/** Orders a pack whose logo is given by URL. */
export const postOrder = (
  world: World,
  caller: Caller,
  changes: Record<string, unknown> = {},
  idempotencyKey = "order",
) =>
  post(
    world,
    caller,
    "/api/v1/jobs",
    { contractId: "display.v1", selectedSizeIds: SIZE_IDS, assets: { logo: { url: LOGO_URL } }, ...changes },
    idempotencyKey,
  );

/** Delivers imports and repeats the order until a final answer arrives. The sweep resends lost messages. */
export async function ordered(world: World, caller: Caller): Promise<Reply> {
  for (let attempt = 0; ; attempt += 1) {
    const reply = await postOrder(world, caller);
    if (reply.status !== 409 || attempt === 3) return reply;
    if (world.queues.imports.length === 0) {
      world.wait(LIMITS.importLeaseMs + 1_000);
      await world.sweep();
    }
    await world.deliverAll("imports");
  }
}

/** Orders a pack of the benchmark's ten sizes. Returns the job's id. */
export const newPackOfTen = (world: World, caller: Caller & Intent, key: string) =>
  newJob(
    world,
    caller,
    {
      contractId: "campaign.v1",
      outputFormat: "jpg",
      selectedSizeIds: TEN_SIZE_IDS,
      copy: { ...WORDS, disclaimer: "Round 1" },
    },
    key,
  );

/** Creates a job that must be accepted; its messages stay in the world's queue. */
export async function newJob(
  world: World,
  caller: Caller & Intent,
  changes: Record<string, unknown> = {},
  idempotencyKey?: string,
): Promise<string> {
  const { status, body } = await postJob(world, caller, changes, idempotencyKey);
  if (status !== 202) throw new Error(`the job was refused: ${JSON.stringify(body)}`);
  return body.data.jobId;
}

/** A workspace with a queued job whose messages are in the world's queue. */
export async function callerWithJob(
  world: World,
  request: WorkspaceRequest,
  changes: Record<string, unknown> = {},
) {
  const caller = await callerWithLogo(world, request);
  return { ...caller, jobId: await newJob(world, caller, changes) };
}

type CallerWithJob = Caller & { readonly jobId: string };

export const readJobStatus = async (world: World, { secret, jobId }: CallerWithJob): Promise<string> =>
  (await world.request({ method: "GET", path: `/api/v1/jobs/${jobId}`, secret })).body.data.status;

const MINUTE_MS = 60_000;
/** A minute longer than the lease of a dead attempt. */
const MINUTES_MAX = LIMITS.partLeaseMs / MINUTE_MS + 1;

/**
 * Runs the sweep each minute until the job has ended. After a move, the job's message finds no job in the old database.
 * The sweep then sends another message, which waits until the dead attempt's lease ends.
 */
export async function untilJobEnds(world: World, job: CallerWithJob): Promise<void> {
  for (let minute = 0; minute < MINUTES_MAX; minute += 1) {
    if (!["queued", "running"].includes(await readJobStatus(world, job))) return;
    world.wait(MINUTE_MS);
    await world.sweepHome(job.workspaceId);
    await world.drain();
  }
}
