import { expect, it, vi } from "vitest";
import { uploadIntentSchema } from "#api/schemas/upload.ts";
import { clock } from "#platform/clock.ts";
import { logoFile } from "../support/asset-files.ts";
import { createIntent, errorOf, intentOf, post, resourceOf, send } from "../support/assets.ts";
import { execute } from "../support/database.ts";
import { createWorkspace } from "../support/workspace.ts";

const PATH = "/api/v1/assets/uploads";

/** Adds `count` copies of an asset's row to its workspace, with other ids and times. */
const addTwins = (assetId: string, count: number) =>
  execute`WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})
     INSERT INTO assets (asset_id, workspace_id, slot_id, status, file_name, mime_type, byte_length, object_key, created_at)
     SELECT asset_id || '-' || n, workspace_id, slot_id, status, file_name, mime_type, byte_length, object_key, created_at - n
     FROM assets, counted WHERE asset_id = ${assetId}`;

it("200: a replay returns the same intent without a second asset, even after the intent expired", async () => {
  const { secret } = await createWorkspace({});
  const first = await resourceOf(
    await post(secret, PATH, intentOf(logoFile), "once"),
    201,
    uploadIntentSchema,
  );
  const again = await post(secret, PATH, intentOf(logoFile), "once");
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect(await resourceOf(again, 200, uploadIntentSchema)).toEqual(first);

  const later = vi.spyOn(clock, "now").mockReturnValue(Date.parse(first.expiresAt) + 1);
  const expired = await post(secret, PATH, intentOf(logoFile), "once").finally(() => later.mockRestore());
  expect(await resourceOf(expired, 200, uploadIntentSchema)).toEqual(first);
  const list = await send(secret, "GET", "/api/v1/assets");
  expect(await list.json()).toMatchObject({
    data: { items: [{ assetId: first.assetId }], nextBefore: null },
  });
});

it("409: a workspace at its asset limit creates no more until one is deleted", async () => {
  const { secret, workspaceId } = await createWorkspace({});
  const { assetId } = await createIntent(secret, logoFile);
  await execute`UPDATE workspaces SET kind = 'trial', expires_at = ${Date.now() + 3_600_000}
      WHERE workspace_id = ${workspaceId}`;
  await addTwins(assetId, 199);
  expect((await errorOf(await post(secret, PATH, intentOf(logoFile), "k"), 409)).code).toBe(
    "ASSET_LIMIT_REACHED",
  );
  await send(secret, "DELETE", `/api/v1/assets/${assetId}`);
  expect((await post(secret, PATH, intentOf(logoFile), "k")).status).toBe(201);
});

it.each([
  ["never had paid access has a trial's limit", {}, 409],
  ["was granted credits has a higher limit", { credits: 1 }, 201],
  ["has a subscription has a higher limit", { quota: 1 }, 201],
  ["has unlimited access has a higher limit", { unlimited: true }, 201],
])("asset limit: a workspace that %s", async (_, access, status) => {
  const { secret } = await createWorkspace(access);
  const { assetId } = await createIntent(secret, logoFile);
  await addTwins(assetId, 199);
  const answered = await post(secret, PATH, intentOf(logoFile));
  expect(answered.status).toBe(status);
  if (status === 409)
    expect((await errorOf(answered, 409)).message).toContain("while it never had paid access");
});

it("409: concurrent requests never exceed the limit", async () => {
  const { secret, workspaceId } = await createWorkspace({});
  const { assetId } = await createIntent(secret, logoFile);
  await execute`UPDATE workspaces SET kind = 'trial', expires_at = ${Date.now() + 3_600_000}
      WHERE workspace_id = ${workspaceId}`;
  await addTwins(assetId, 196);
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async () => (await post(secret, PATH, intentOf(logoFile))).status),
  );
  expect(statuses.sort()).toEqual([201, 201, 201, ...new Array(9).fill(409)]);
});

it.each(["application/json;", "application/json;charset", "application/json; charset=", "text/plain"])(
  "415: %s is refused, and never causes a 500",
  async (type) => {
    const { secret } = await createWorkspace({});
    const sent = await send(secret, "POST", PATH, {
      headers: { "Content-Type": type, "Idempotency-Key": "k" },
      body: JSON.stringify(intentOf(logoFile)),
    });
    expect((await errorOf(sent, 415)).code).toBe("UNSUPPORTED_MEDIA_TYPE");
  },
);

it("assets created in the same millisecond get distinct creation times, so that no page skips one", async () => {
  const { secret } = await createWorkspace({});
  const now = vi.spyOn(clock, "now").mockReturnValue(1_800_000_000_000);
  await Promise.all(Array.from({ length: 8 }, () => post(secret, PATH, intentOf(logoFile)))).finally(() =>
    now.mockRestore(),
  );
  const seen = new Set<string>();
  let before: string | null = "";
  while (before !== null) {
    const query: string = before === "" ? "?limit=3" : `?limit=3&before=${encodeURIComponent(before)}`;
    const response = await send(secret, "GET", `/api/v1/assets${query}`);
    const { data }: { data: { items: { assetId: string }[]; nextBefore: string | null } } =
      await response.json();
    for (const { assetId } of data.items) seen.add(assetId);
    before = data.nextBefore;
  }
  expect(seen.size).toBe(8);
});
