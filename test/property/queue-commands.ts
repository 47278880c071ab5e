import type { Crash } from "../fault/gate.ts";
import type { World } from "../fault/world.ts";
import { isClosed } from "../support/moves.ts";
import { command } from "./command.ts";
import { followJobs } from "./follow-jobs.ts";
import { isOpen, type Model, type ModelWorkspace, reject } from "./model.ts";
import { settleMoves } from "./move-commands.ts";
import { readState } from "./stored-state.ts";

const DAY_MS = 24 * 60 * 60_000;
/** How long after expiry the bytes of an upload may still arrive. */
const EXPIRY_GRACE_MS = 5 * 60_000;
/** The service keeps Idempotency-Keys for seven days. The model keeps them forever, so histories are shorter. */
const HISTORY_MS_MAX = 6 * DAY_MS;

/** Delivers any waiting message, possibly twice, and possibly with a crash. */
export const deliver = command<{ message: number; isAgain: boolean; crash: Crash | null }>(
  "deliver",
  async (given, model, world) => {
    const at = given.message % Math.max(1, world.messages.length);
    const message = world.messages[at];
    if (message === undefined) return;
    if (given.crash !== null) world.crash(given.crash);
    await world.deliverAt(at);
    // A queue redelivers messages that a crashed process never acknowledged, and sometimes acknowledged ones.
    if (world.isDead && !world.messages.includes(message)) world.takeBack(message);
    else if (given.isAgain) world.messages.push(message);
    world.restart();
    await followJobs(model);
  },
);

export const deliverDeadLetter = command<{ message: number; isFresh: boolean }>(
  "dead letter",
  async (given, model, world) => {
    // The queue may dead-letter any message, not only one that was retried often.
    const [letter] = given.isFresh
      ? world.messages.splice(given.message % Math.max(1, world.messages.length), 1)
      : [];
    if (letter !== undefined) world.dead.push(letter);
    await world.deliverDead(given.message % Math.max(1, world.dead.length));
    await followJobs(model);
  },
);

export const loseMessages = command<object>("lose messages", async (_given, _model, world) => {
  world.messages = [];
});

/** Runs the sweep, possibly with a crash. */
export const sweep = command<{ crash: Crash | null }>("sweep", async (given, model, world) => {
  if (given.crash !== null) world.crash(given.crash);
  await world.sweep();
  world.restart();
  await world.sweep();
  await followJobs(model);
  await followClock(model, world.nowMs);
});

/** Applies the expected changes of the sweep to the model. The sweep skips workspaces that accept no writes. */
async function followClock(model: Model, nowMs: number): Promise<void> {
  for (const workspace of model.workspaces) {
    const isLeft = await isClosed(workspace.workspaceId);
    const found = isLeft ? (await readState(model)).get(workspace.workspaceId) : undefined;
    endByClock(workspace, nowMs, {
      isRejected: (assetId) => found === undefined || found.assets[assetId] === "rejected",
      isDeleted: (assetId) => found === undefined || found.assets[assetId] === "deleted",
      hasNoCredits: found === undefined || found.credits === 0,
    });
  }
}

/** The stored result of the sweep, where the model cannot predict it. */
interface Swept {
  readonly isRejected: (assetId: string) => boolean;
  readonly isDeleted: (assetId: string) => boolean;
  readonly hasNoCredits: boolean;
}

function endByClock(workspace: ModelWorkspace, nowMs: number, swept: Swept): void {
  for (const asset of workspace.assets) {
    const isOverdue = asset.expiresAtMs + EXPIRY_GRACE_MS <= nowMs;
    if (asset.status === "processing" && isOverdue && swept.isRejected(asset.assetId)) reject(asset, "time");
  }
  const { expiresAtMs } = workspace;
  if (expiresAtMs === null || nowMs < expiresAtMs) return;
  if (swept.hasNoCredits) workspace.credits = 0;
  if (nowMs < expiresAtMs + DAY_MS) return;
  for (const asset of workspace.assets) if (swept.isDeleted(asset.assetId)) asset.isDeleted = true;
}

export const wait = command<{ ms: number }>("wait", async (given, model, world) => {
  if (world.nowMs + given.ms - model.startMs < HISTORY_MS_MAX) world.wait(given.ms);
});

/** Completes all work of a history: lets time pass and delivers every message. */
export async function settle(model: Model, world: World): Promise<void> {
  world.restart();
  await settleMoves(model, world);
  for (let round = 0; round < 3; round += 1) {
    world.wait(16 * 60_000);
    await world.sweep();
    await world.drain();
  }
  await world.sweep();
  await followJobs(model);
  await followClock(model, world.nowMs);
  const open = model.workspaces.flatMap(({ jobs }) => jobs.filter(isOpen));
  if (open.length > 0) throw new Error(`${open.length} jobs did not end`);
}
