import { describe, expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { signImageUrl } from "../../../sdk/src/index.ts";
import { seedWorkspace } from "../support/arrange.ts";
import { type Answer, send } from "../support/client.ts";
import { clientOf, createIntent, LOGO, newKey, uploadLogo } from "../support/flow.ts";
import type { Harness } from "../support/harness.ts";
import { type Person, seedPerson, sendAs } from "../support/people.ts";

/** Images by signed URL, over HTTP. */
export const images = (harness: Harness): void => {
  const { service } = harness;
  const codeOf = ({ status, body }: Answer) => [status, body?.error?.code];
  const signer = async (credits: number) => {
    const workspace = await seedWorkspace(service, { credits });
    const { images: client } = clientOf(service, workspace.key);
    const { secret, imageSecretId } = await client.createSecret({ name: "Shop" });
    const logo = await uploadLogo(service, workspace.key);
    const sign = async (parameters: object = {}, sizeId = "iab-320x50") =>
      (
        await signImageUrl({ baseUrl: service.origin, secret, sizeId, parameters: { logo, ...parameters } })
      ).slice(service.origin.length);
    return { ...workspace, client, imageSecretId, logo, sign };
  };

  describe("image URLs", () => {
    it("API §22.1, §22.3, §22.5 200 once drawn, 304 with its ETag, and one credit for both", async () => {
      const { key, client, logo } = await signer(2);
      const { url } = await client.createUrl({ sizeId: "iab-320x50", parameters: { logo } });
      const bytes = await client.load(url);
      const path = url.slice(service.origin.length);
      const again = await send(service, "GET", path);
      expect([again.status, again.bytes]).toEqual([200, new Uint8Array(bytes)]);
      expect(again.headers.get("Access-Control-Allow-Origin")).toBe("*");
      const held = { "If-None-Match": again.headers.get("ETag") ?? "" };
      expect((await send(service, "GET", path, { headers: held })).status).toBe(304);
      expect((await clientOf(service, key).balance.get()).credits.available).toBe(1);
    });

    it("API §22.2, §22.4, §22.8 refusals: an altered URL 403, an unknown parameter 400, and all refusals of an order", async () => {
      const { sign, key } = await signer(0);
      const path = await sign();
      expect(codeOf(await send(service, "GET", path.replace("320x50", "300x50")))).toEqual([
        403,
        "LINK_INVALID",
      ]);
      expect(codeOf(await send(service, "GET", `${path}&width=1`))).toEqual([400, "INVALID_REQUEST"]);
      expect(codeOf(await send(service, "GET", path))).toEqual([402, "PAYMENT_REQUIRED"]);
      expect(codeOf(await send(service, "GET", await sign({}, "iab-1x1")))).toEqual([
        422,
        "SIZE_UNSUPPORTED",
      ]);
      const { assetId } = await createIntent(service, key, LOGO);
      const unready = await send(service, "GET", await sign({ logo: assetId }));
      expect(codeOf(unready)).toEqual([409, "ASSET_NOT_READY"]);
      for (const [origin, status] of [
        [harness.broken, 500],
        [harness.bare, 501],
      ] as const) {
        expect((await send(origin, "GET", path)).status).toBe(status);
      }
    });

    it("API §22.6 a secret is created by session and key, limited, listed and revoked", async () => {
      const owner: Person = await seedPerson(service);
      const { workspaceId } = (
        await sendAs(service, owner, "POST", "/api/account/workspaces", {
          json: { name: "W" },
          idempotencyKey: newKey(),
        })
      ).body.data;
      const path = `/api/account/workspaces/${workspaceId}/image-secrets`;
      const make = () => sendAs(service, owner, "POST", path, { json: { name: "Shop" } });
      for (let made = 0; made < LIMITS.imageSecretsPerWorkspaceMax; made += 1)
        expect((await make()).status).toBe(201);
      expect(codeOf(await make())).toEqual([409, "IMAGE_SECRET_LIMIT_REACHED"]);
      const foreign = `/api/account/workspaces/${harness.stranger.workspaceId}/image-secrets`;
      const refused = await sendAs(service, owner, "POST", foreign, { json: { name: "Shop" } });
      expect(codeOf(refused)).toEqual([404, "WORKSPACE_NOT_FOUND"]);
      const { items } = (await sendAs(service, owner, "GET", path)).body.data;
      const one = `${path}/${items[0].imageSecretId}`;
      expect((await sendAs(service, owner, "DELETE", one)).status).toBe(200);
      expect(codeOf(await sendAs(service, owner, "DELETE", one))).toEqual([404, "IMAGE_SECRET_NOT_FOUND"]);
      const { client, key } = await signer(1);
      for (let made = 1; made < LIMITS.imageSecretsPerWorkspaceMax; made += 1)
        await client.createSecret({ name: "S" });
      const more = await send(service, "POST", "/api/v1/image-secrets", { key, json: { name: "S" } });
      expect(codeOf(more)).toEqual([409, "IMAGE_SECRET_LIMIT_REACHED"]);
    });

    it("API §22.7 POST /image-urls 200, 404 without a secret, 409 and 422 like an order", async () => {
      const { client, key, logo, imageSecretId } = await signer(1);
      const sign = (parameters: object) =>
        send(service, "POST", "/api/v1/image-urls", { key, json: { sizeId: "iab-320x50", parameters } });
      expect((await sign({ logo })).status).toBe(200);
      expect(codeOf(await sign({ logo: imageSecretId }))).toEqual([422, "ASSET_UNKNOWN"]);
      const { assetId } = await createIntent(service, key, LOGO);
      expect(codeOf(await sign({ logo: assetId }))).toEqual([409, "ASSET_NOT_READY"]);
      const revoke = `/api/v1/image-secrets/${imageSecretId}`;
      expect((await client.listSecrets()).items).toHaveLength(1);
      expect((await send(service, "DELETE", revoke, { key })).status).toBe(200);
      expect(codeOf(await send(service, "DELETE", revoke, { key }))).toEqual([404, "IMAGE_SECRET_NOT_FOUND"]);
      expect(codeOf(await sign({ logo }))).toEqual([404, "IMAGE_SECRET_NOT_FOUND"]);
    });
  });
};
