import { expect, it } from "vitest";
import { assetPageSchema } from "#api/schemas/asset.ts";
import { logoFile } from "../support/asset-files.ts";
import { createIntent, resourceOf, send } from "../support/assets.ts";
import { createWorkspace } from "../support/workspace.ts";

const list = async (secret: string, query = "") =>
  resourceOf(await send(secret, "GET", `/api/v1/assets${query}`), 200, assetPageSchema);

it("GET /api/v1/assets 200: takes a time with an offset as cursor", async () => {
  const { secret } = await createWorkspace({});
  await createIntent(secret, logoFile);
  expect(
    (await list(secret, `?before=${encodeURIComponent("2100-01-01T02:00:00+02:00")}`)).items,
  ).toHaveLength(1);
  expect((await list(secret, "?before=2000-01-01T00:00:00Z")).items).toHaveLength(0);
});
