import { expect, it } from "vitest";
import { firstFile, readyPack } from "../support/artifacts.ts";
import { listShares, picture, readComments, revoke, say, shareOf, visit } from "../support/shares.ts";
import type { Answer } from "../support/workspace.ts";

/** Guarantee: a share link shows one pack and takes comments until it is revoked. The rest: shares.long.test.ts. */

const refusalOf = ({ status, body }: Answer) => [status, body?.error?.code];

it("API §18.1, §18.2 shows its pack, takes comments and a verdict, and opens nothing once it is revoked", async () => {
  const pack = await readyPack();
  const held = await shareOf(pack, { name: "First round" });
  const { fileId } = firstFile(pack);
  expect((await say(held.token, { name: "Ada", text: "Larger logo, please.", fileId })).status).toBe(201);
  expect((await say(held.token, { name: "Ada", verdict: "changes-requested" })).status).toBe(201);

  const page = await visit(held.token);
  expect(page.body.data).toMatchObject({ name: "First round", verdict: "changes-requested" });
  expect(JSON.stringify(page.body.data)).not.toContain(pack.client.workspaceId);
  expect((await picture(held.token, fileId)).status).toBe(200);
  const [listed] = (await listShares(pack)).body.data.items;
  expect(listed).toMatchObject({ ...held.share, verdict: "changes-requested", commentCount: 2 });
  expect((await readComments(pack, held)).body.data.items).toHaveLength(2);

  expect((await revoke(pack, held)).status).toBe(200);
  for (const answer of [await visit(held.token), await picture(held.token, fileId)]) {
    expect(refusalOf(answer)).toEqual([403, "LINK_INVALID"]);
  }
  expect((await say(held.token, { name: "Ada", text: "Late." })).status).toBe(403);
});
