import { expect } from "vitest";
import type { Crash } from "../fault/gate.ts";
import { type Actor, choose, command, isKeyAccepted, sendUntilAnswered } from "./command.ts";
import { followJobs } from "./follow-jobs.ts";
import {
  isOpen,
  type Model,
  type ModelAsset,
  type ModelJob,
  type ModelWorkspace,
  pay,
  payingSource,
  pick,
  refund,
} from "./model.ts";
import { isRefusedForMove } from "./move-commands.ts";
import { postRemembered, type Refusal } from "./remembered-post.ts";
import { idempotencyKeyOf } from "./upload-commands.ts";

/** Small sizes, which render quickly. */
const SIZE_IDS = ["iab-320x50", "iab-120x60", "iab-300x50"];

export interface JobChoice {
  readonly key: number;
  readonly asset: number;
  readonly sizes: number;
  /** Which assets the job uses: ready ones, any of its workspace, or another workspace's. */
  readonly from: "ready" | "own" | "foreign";
}

/** The assets from which a job's assets are selected. */
function assetsFor(from: JobChoice["from"], model: Model, workspace: ModelWorkspace): readonly ModelAsset[] {
  const others = model.workspaces.filter((other) => other !== workspace);
  switch (from) {
    case "ready":
      return workspace.assets.filter(({ status, isDeleted }) => status === "ready" && !isDeleted);
    case "own":
      return workspace.assets;
    case "foreign":
      return others.flatMap(({ assets }) => assets);
  }
}

function refusalOf(from: JobChoice["from"], asset: ModelAsset, isUncovered: boolean): Refusal {
  if (from === "foreign" || asset.isDeleted) return { status: 422 };
  if (asset.status !== "ready") return { status: 409 };
  return isUncovered ? { status: 402 } : null;
}

export const createJob = command<{ actor: Actor; choice: JobChoice; crash: Crash | null }>(
  "job",
  async (given, model, world) => {
    const chosen = choose(model, given.actor);
    const { workspace } = chosen;
    const asset = pick(assetsFor(given.choice.from, model, workspace), given.choice.asset);
    if (asset === null) return;
    const selectedSizeIds = SIZE_IDS.slice(0, given.choice.sizes);
    const source = payingSource(workspace, selectedSizeIds.length);
    const created = await postRemembered(
      world,
      chosen,
      {
        path: "/api/v1/jobs",
        body: {
          contractId: "display.v1",
          selectedSizeIds,
          assetIds: { logo: asset.assetId },
        },
        idempotencyKey: idempotencyKeyOf(given.choice.key),
        crash: given.crash,
      },
      refusalOf(given.choice.from, asset, source === null),
      (reply) => reply.body.data.jobId,
    );
    if (created === null || source === null) return;
    const cost = selectedSizeIds.length;
    pay(workspace, cost, source);
    workspace.jobs.push({
      jobId: created.body.data.jobId,
      cost,
      source,
      createdAtMs: world.nowMs,
      isDrawable: asset.bytes !== "empty",
      status: "queued",
    });
  },
);

/** Expected status code of a cancel request. */
const cancelStatus = ({ status }: ModelJob): number => (status === "running" ? 409 : 200);

export const cancelJob = command<{ actor: Actor; job: number; isForeign: boolean; crash: Crash | null }>(
  "cancel",
  async (given, model, world) => {
    const chosen = choose(model, given.actor);
    const owners = model.workspaces.filter((owner) => (owner === chosen.workspace) !== given.isForeign);
    const job = pick(
      owners.flatMap((owner) => owner.jobs),
      given.job,
    );
    if (job === null) return;
    const request = {
      method: "POST",
      path: `/api/v1/jobs/${job.jobId}/cancel`,
      secret: chosen.key.secret,
    };
    const reply = await sendUntilAnswered(world, chosen.workspace.workspaceId, request, given.crash);
    if (!isKeyAccepted(chosen, world.nowMs)) {
      expect(reply.status).toBe(401);
      return;
    }
    if (await isRefusedForMove(chosen, reply)) return;
    expect(reply.status, JSON.stringify(reply.body)).toBe(given.isForeign ? 404 : cancelStatus(job));
    if (reply.status === 200 && job.status === "queued") refund(chosen.workspace, job, "canceled");
  },
);

/** Cancels a job while a message is delivered. Either may win. */
export const cancelWhileDelivering = command<{ actor: Actor; job: number; message: number }>(
  "cancel while delivering",
  async (given, model, world) => {
    const chosen = choose(model, given.actor);
    const job = pick(chosen.workspace.jobs.filter(isOpen), given.job);
    if (job === null || !isKeyAccepted(chosen, world.nowMs)) return;
    const path = `/api/v1/jobs/${job.jobId}/cancel`;
    const [reply] = await Promise.all([
      world.request({ method: "POST", path, secret: chosen.key.secret }),
      world.deliverAt(given.message % Math.max(1, world.messages.length)),
    ]);
    if (await isRefusedForMove(chosen, reply)) return followJobs(model);
    expect([200, 409]).toContain(reply.status);
    if (reply.status === 200 && reply.body.data.status === "canceled") {
      refund(chosen.workspace, job, "canceled");
    }
    await followJobs(model);
  },
);
