import { describe, expect, it } from "vitest";
import { newId } from "#platform/ids.ts";
import { acceptedJob, holdQueue, packOf, postJob, workspaceWithLogo } from "../support/jobs.ts";
import { call } from "../support/workspace.ts";

it("identical requests have the same fingerprint, whatever the assets' names", async () => {
  holdQueue();
  const first = await workspaceWithLogo();
  const second = await workspaceWithLogo();
  const one = await acceptedJob(first, { brand: { textColor: "#ABCDEF" } });
  const other = await acceptedJob(second, { brand: { textColor: "#abcdef" } });
  const different = await acceptedJob(second, { brand: { textColor: "#abcdee" } });
  expect(other.renderFingerprint).toBe(one.renderFingerprint);
  expect(different.renderFingerprint).not.toBe(one.renderFingerprint);
});

describe("one Idempotency-Key creates one job", () => {
  it("a replay is answered before every check, even if no job could be paid for any more", async () => {
    holdQueue();
    const client = await workspaceWithLogo({ credits: 1 });
    const key = newId();
    expect((await postJob(client.secret, packOf(client), key)).status).toBe(202);
    await call("DELETE", `/api/v1/assets/${client.logoId}`, { secret: client.secret });
    expect((await postJob(client.secret, packOf(client), key)).status).toBe(200);
    expect((await postJob(client.secret, packOf(client))).status).toBe(422);
  });
});
