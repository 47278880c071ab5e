import fc from "fast-check";
import { World } from "../fault/world.ts";
import { createWorkspace, type WorkspaceRequest } from "../support/workspace.ts";
import { type Model, newModelWorkspace } from "./model.ts";
import { settle } from "./queue-commands.ts";
import { expectAgreement } from "./stored-state.ts";
import { completeUpload, createUpload, sendBytes } from "./upload-commands.ts";

/**
 * Runs a history: a sequence of commands. The service is compared with the model after each command and once all work
 * has ended.
 */

const START_MS = Date.parse("2030-03-01T00:00:00.000Z");
/** Number of the set-up's first Idempotency-Key; no command uses numbers from here on. */
const FIRST_KEY = 100;

const ACCESS: readonly WorkspaceRequest[] = [{ credits: 6 }, { credits: 2, quota: 4 }, { unlimited: true }];

async function newModel(): Promise<Model> {
  const workspaces = await Promise.all(
    ACCESS.map(async (access) => {
      const { workspaceId, apiKeyId, secret } = await createWorkspace(access);
      return newModelWorkspace({
        workspaceId,
        isUnlimited: access.unlimited ?? false,
        quotaLimit: access.quota ?? null,
        credits: access.credits ?? 0,
        expiresAtMs: null,
        keys: [{ apiKeyId, secret, isRevoked: false }],
      });
    }),
  );
  return { startMs: START_MS, workspaces, trials: new Map(), commandCount: 0 };
}

/** Gives each workspace a ready logo, so that a history can start with a job. */
async function uploadLogos(model: Model, world: World): Promise<void> {
  for (const [workspace] of model.workspaces.entries()) {
    const first = { actor: { workspace, key: 0 }, asset: 0, crash: null };
    await createUpload({ ...first, key: FIRST_KEY, fileName: "logo.svg" }).run(model, world);
    await sendBytes({ ...first, sent: "good" }).run(model, world);
    await completeUpload({ ...first, key: FIRST_KEY + 1 }).run(model, world);
  }
}

/** A workspace has at most the messages of one job in the queue. Its other jobs wait. */
const ONE_MESSAGE = { RENDER_MESSAGES_QUEUED: "1" };

/**
 * Creates workspaces with a ready logo each, runs the commands, and completes all started work. With `isCrowded`, jobs
 * wait for queue slots, which the model does not include.
 */
export async function runHistory(
  commands: Iterable<fc.AsyncCommand<Model, World>>,
  isCrowded = false,
): Promise<Model> {
  const model = await newModel();
  const world = new World(START_MS, isCrowded ? ONE_MESSAGE : {});
  await uploadLogos(model, world);
  // The set-up is not part of the history.
  model.commandCount = 0;
  await fc.asyncModelRun(() => ({ model, real: world }), commands);
  await settle(model, world);
  await expectAgreement(model);
  return model;
}
