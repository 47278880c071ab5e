import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { sendPendingImports } from "#domains/assets/imports/dispatch-imports.ts";
import { clock } from "#platform/clock.ts";
import { mediaFile } from "../support/asset-files.ts";
import { execute } from "../support/database.ts";
import {
  consumeImport,
  FILE_URL,
  fileResponse,
  HOST,
  holdImportQueue,
  importing,
  objectsOf,
  readAsset,
  serve,
  storedImports,
} from "../support/imports.ts";
import { recordMessages } from "../support/sent-messages.ts";
import { createWorkspace, type TestWorkspace } from "../support/workspace.ts";

/** import-asset.long.test.ts and import-refusals.long.test.ts test more servers, failures and races. */

const DEFAULTS = { ...LIMITS };
const LENGTH = mediaFile.bytes.byteLength;
let workspace: TestWorkspace;
beforeEach(async () => {
  holdImportQueue();
  workspace = await createWorkspace({ credits: 10 });
});
afterEach(() => {
  Object.assign(LIMITS, DEFAULTS);
});

/** Serves the media file without a declared length. */
const streamed = (): Response =>
  new Response(new Blob([mediaFile.bytes]).stream(), { headers: { "Content-Type": mediaFile.mimeType } });

const declared = (): Response =>
  fileResponse(mediaFile.bytes, mediaFile.mimeType, { "Content-Length": String(LENGTH) });

async function imported(answer: () => Response) {
  serve({ [FILE_URL]: answer });
  const { assetId } = await importing(workspace.secret);
  expect(await consumeImport(assetId)).toBe("acknowledged");
  expect(await storedImports(workspace.workspaceId)).toEqual([]);
  return readAsset(workspace.secret, assetId);
}

it.each([
  ["a declared length", declared],
  ["no declared length", streamed],
])(
  "API §4.45 a file with %s is imported up to the size limit, and refused if it is one byte larger",
  async (_, answer) => {
    Object.assign(LIMITS, { uploadBytesMax: LENGTH });
    expect(await imported(answer)).toMatchObject({ status: "ready", byteLength: LENGTH });
    Object.assign(LIMITS, { uploadBytesMax: LENGTH - 1 });
    const rejected = await imported(answer);
    expect(rejected).toMatchObject({ status: "rejected", rejection: { code: "TOO_LARGE" } });
    expect(await objectsOf(workspace.workspaceId, rejected.assetId)).toEqual([]);
  },
);

it("API §4.45 three redirects are followed, and a fourth is not", async () => {
  const hop = (number: number) => `https://${HOST}/${number}`;
  const redirect = (number: number) =>
    new Response(null, { status: 302, headers: { Location: hop(number) } });
  const { asked } = serve({
    ...{ [hop(1)]: redirect(2), [hop(2)]: redirect(3), [hop(3)]: redirect(4), [hop(4)]: redirect(5) },
    [hop(5)]: declared(),
  });
  const outcomes: unknown[] = [];
  for (const first of [2, 1]) {
    const { assetId } = await importing(workspace.secret, { url: hop(first) });
    await consumeImport(assetId);
    const { status, rejection } = await readAsset(workspace.secret, assetId);
    outcomes.push([status, rejection?.code ?? null, asked.splice(0).length]);
  }
  expect(outcomes).toEqual([
    ["ready", null, 4],
    ["rejected", "TOO_MANY_REDIRECTS", 4],
  ]);
});

it.each([
  ["a trial", { credits: 5 }, "trial"],
  ["a workspace that never paid", {}, "standard"],
])(
  "API §4.47 silent servers of %s occupy one consumer, and another workspace's import runs meanwhile",
  async (_, access, kind) => {
    const attacker = await createWorkspace(access);
    await execute`UPDATE workspaces SET kind = ${kind} WHERE workspace_id = ${attacker.workspaceId}`;
    const silent = `https://${HOST}/silent`;
    let hangUp: (error: Error) => void = () => undefined;
    let requests: readonly string[] = [];
    const asked = new Promise<void>((resolve) => {
      const answer = () => {
        resolve();
        return new Promise<Response>((_, reject) => {
          hangUp = reject;
        });
      };
      requests = serve({ [FILE_URL]: declared(), [silent]: answer }).asked;
    });
    const sent = recordMessages(env.IMPORT_QUEUE);
    const ids: string[] = [];
    for (let number = 0; number < 4; number += 1) {
      ids.push((await importing(attacker.secret, { url: silent })).assetId);
    }
    const { assetId } = await importing(workspace.secret);
    await sendPendingImports(env.IMPORT_QUEUE, env.DB, clock.now());
    // A set, because the sweep may repeat messages that the last request is still sending.
    const messages = new Set(sent().map((body) => (body as { assetId: string }).assetId));
    expect(ids.filter((id) => messages.has(id))).toEqual(ids.slice(0, 1));
    expect([...messages]).toContain(assetId);

    const [first = ""] = ids;
    const held = consumeImport(first);
    await asked;
    // Messages of the attacker's other imports do not occupy a second consumer either.
    for (const other of ids) expect(await consumeImport(other)).toBe("acknowledged");
    expect(await consumeImport(assetId)).toBe("acknowledged");
    expect(await readAsset(workspace.secret, assetId)).toMatchObject({ status: "ready" });
    expect(requests).toEqual([silent, FILE_URL]);
    hangUp(new Error("hung up"));
    expect(await held).toEqual({ delaySeconds: 5 });
  },
);
