import { describe, expect, it, vi } from "vitest";
import { assetSchema } from "../../src/contract/schemas/asset.ts";
import { clock } from "../../src/platform/clock.ts";
import { logoFile } from "../support/asset-files.ts";
import { createIntent, errorOf, resourceOf, send, uploadAsset } from "../support/assets.ts";
import { createWorkspace } from "../support/workspace.ts";

const pathOf = (assetId: string): string => `/api/v1/assets/${assetId}`;

/** The refusal without what differs from request to request. */
async function refusalOf(response: Response) {
  const { requestId: _requestId, ...error } = await errorOf(response, 404);
  return error;
}

describe.each(["GET", "DELETE"])("%s /api/v1/assets/{assetId}", (method) => {
  it("404: a foreign and a missing asset read exactly alike, and so does a deleted one to who reads it", async () => {
    const [mine, theirs] = await Promise.all([createWorkspace({}), createWorkspace({})]);
    const foreign = await createIntent(theirs.secret, logoFile);
    const deleted = await createIntent(mine.secret, logoFile);
    expect((await send(mine.secret, "DELETE", pathOf(deleted.assetId))).status).toBe(200);
    const missing = await refusalOf(await send(mine.secret, method, pathOf(crypto.randomUUID())));
    expect(missing.code).toBe("ASSET_NOT_FOUND");
    for (const { assetId } of method === "GET" ? [foreign, deleted] : [foreign]) {
      expect(await refusalOf(await send(mine.secret, method, pathOf(assetId)))).toEqual(missing);
    }
    expect((await send(theirs.secret, "GET", pathOf(foreign.assetId))).status).toBe(200);
  });

  it("400: an id that is no UUID; 401: no key; 403: the other scope only", async () => {
    const { secret } = await createWorkspace({});
    const { assetId } = await createIntent(secret, logoFile);
    expect((await errorOf(await send(secret, method, pathOf("7")), 400)).code).toBe("INVALID_REQUEST");
    expect((await errorOf(await send("", method, pathOf(assetId)), 401)).code).toBe("KEY_MISSING");
    const other = await createWorkspace({ scopes: [method === "GET" ? "assets:write" : "assets:read"] });
    expect((await errorOf(await send(other.secret, method, pathOf(assetId)), 403)).code).toBe(
      "SCOPE_MISSING",
    );
  });
});

describe("DELETE /api/v1/assets/{assetId}", () => {
  it("200: returns the deleted asset each time, deleted once, though ten ask at once", async () => {
    const { secret } = await createWorkspace({});
    const assetId = await uploadAsset(secret, logoFile);
    const before = await resourceOf(await send(secret, "GET", pathOf(assetId)), 200, assetSchema);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send(secret, "DELETE", pathOf(assetId))),
    );
    const shown = await Promise.all(answers.map((answer) => resourceOf(answer, 200, assetSchema)));
    const later = vi.spyOn(clock, "now").mockReturnValue(Date.now() + 3_600_000);
    const again = await send(secret, "DELETE", pathOf(assetId)).finally(() => later.mockRestore());
    shown.push(await resourceOf(again, 200, assetSchema));
    const [deleted] = shown;
    expect(deleted?.deletedAt).not.toBeNull();
    expect({ ...deleted, deletedAt: null }).toEqual(before);
    for (const asset of shown) expect(asset).toEqual(deleted);
  });
});
