import type { Crash } from "../fault/gate.ts";
import type { World } from "../fault/world.ts";
import { Command } from "./command.ts";
import { followJobs } from "./job-commands.ts";
import { isOpen, type Model, reject } from "./model.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Bytes under way when an upload expires may still come so long. */
const EXPIRY_GRACE_MS = 5 * 60_000;
/** Idempotency-Keys and their replays are kept for seven days; the model knows no end of them. */
const HISTORY_MS_MAX = 6 * DAY_MS;

/** Delivers a message that waits: in any order, perhaps twice, perhaps into a crash. */
export class Deliver extends Command {
  constructor(
    readonly message: number,
    readonly isAgain: boolean,
    readonly crash: Crash | null,
  ) {
    super("deliver", { message, isAgain, crash });
  }

  protected async act(model: Model, world: World): Promise<void> {
    const at = this.message % Math.max(1, world.messages.length);
    const message = world.messages[at];
    if (message === undefined) return;
    if (this.crash !== null) world.crash(this.crash);
    await world.deliverAt(at);
    // A queue delivers again what a dead process never acknowledged, and sometimes what was acknowledged.
    if (world.isDead && !world.messages.includes(message)) world.takeBack(message);
    else if (this.isAgain) world.messages.push(message);
    world.restart();
    await followJobs(model);
  }
}

export class DeliverDeadLetter extends Command {
  constructor(
    readonly message: number,
    readonly isFresh: boolean,
  ) {
    super("dead letter", { message, isFresh });
  }

  protected async act(model: Model, world: World): Promise<void> {
    // The queue may give up on any message, not only on one that was refused often.
    const [given] = this.isFresh
      ? world.messages.splice(this.message % Math.max(1, world.messages.length), 1)
      : [];
    if (given !== undefined) world.dead.push(given);
    await world.deliverDead(this.message % Math.max(1, world.dead.length));
    await followJobs(model);
  }
}

export class LoseMessages extends Command {
  constructor() {
    super("lose messages", {});
  }

  protected async act(_model: Model, world: World): Promise<void> {
    world.messages = [];
  }
}

/** The clock's work, perhaps broken off. */
export class Sweep extends Command {
  constructor(readonly crash: Crash | null) {
    super("sweep", { crash });
  }

  protected async act(model: Model, world: World): Promise<void> {
    if (this.crash !== null) world.crash(this.crash);
    await world.sweep();
    world.restart();
    await world.sweep();
    await followJobs(model);
    followClock(model, world.nowMs);
  }
}

/** What the clock must have ended by now. */
function followClock({ workspaces }: Model, nowMs: number): void {
  for (const workspace of workspaces) {
    for (const asset of workspace.assets) {
      const isOverdue = asset.expiresAtMs + EXPIRY_GRACE_MS <= nowMs;
      if (asset.status === "processing" && isOverdue) reject(asset, "time");
    }
    const { expiresAtMs } = workspace;
    if (expiresAtMs === null || nowMs < expiresAtMs) continue;
    workspace.credits = 0;
    if (nowMs < expiresAtMs + DAY_MS) continue;
    for (const asset of workspace.assets) asset.isDeleted = true;
  }
}

export class Wait extends Command {
  constructor(readonly ms: number) {
    super("wait", { ms });
  }

  protected async act(model: Model, world: World): Promise<void> {
    if (world.nowMs + this.ms - model.startMs < HISTORY_MS_MAX) world.wait(this.ms);
  }
}

/** However a history went, what is open ends: the clock runs on and the queue delivers. */
export async function settle(model: Model, world: World): Promise<void> {
  world.restart();
  for (let round = 0; round < 3; round += 1) {
    world.wait(16 * 60_000);
    await world.sweep();
    await world.drain();
  }
  await world.sweep();
  await followJobs(model);
  followClock(model, world.nowMs);
  const open = model.workspaces.flatMap(({ jobs }) => jobs.filter(isOpen));
  if (open.length > 0) throw new Error(`${open.length} jobs did not end`);
}
