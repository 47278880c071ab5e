import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { seedKey, seedWorkspace } from "../support/arrange.ts";
import { type Answer, send } from "../support/client.ts";
import { clientOf, createIntent, LOGO, newKey, uploadLogo } from "../support/flow.ts";
import type { Harness } from "../support/harness.ts";
import { packOf } from "../support/pack.ts";

/** Saved brands: accepted and refused values, and changes. */
export const brands = (harness: Harness): void => {
  const { service, rich, stranger } = harness;
  const pack = packOf(harness);
  const { brands: client } = clientOf(service, rich.key);
  const post = (json: object, idempotencyKey = newKey()): Promise<Answer> =>
    send(service, "POST", "/api/v1/brands", { key: rich.key, json, idempotencyKey });
  const patch = (brandId: string, json: object): Promise<Answer> =>
    send(service, "PATCH", `/api/v1/brands/${brandId}`, { key: rich.key, json });
  const codeOf = ({ status, body }: Answer) => [status, body.error?.code];

  describe("API §21.1 brands", () => {
    it("API §21.1, §4.12 a brand is saved, shown and listed, and created once per key", async () => {
      const { logo } = await pack.assetIds();
      const body = { name: " Velo ", colors: { primaryColor: "#0B5FFF" }, assetIds: { logoOnDark: logo } };
      const key = newKey();
      const [made, again] = [await post(body, key), await post(body, key)];
      expect([made.status, again.status, again.body.data]).toEqual([201, 200, made.body.data]);
      const { brandId } = made.body.data;
      const { data } = (await send(service, "GET", `/api/v1/brands/${brandId}`, { key: rich.key })).body;
      expect(data).toMatchObject({
        ...{ name: "Velo", colors: { primaryColor: "#0b5fff" }, assetIds: { logoOnDark: logo } },
        ...{ look: null, buttonStyle: null, disclaimer: null, language: null },
      });
      expect((await client.list({ limit: 1 }).firstPage()).items).toEqual([data]);
      expect(codeOf(await post({ name: "Other" }, key))).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
    });

    it("API §21.6 a change keeps absent members, replaces colours as a whole, and removes members that are null", async () => {
      const { brandId } = await client.create({
        ...{ name: "Velo", look: "bold", disclaimer: "While stocks last.", language: "pt-br" },
        colors: { primaryColor: "#0b5fff", textColor: "#000000" },
      });
      const changes = { colors: { primaryColor: "#ffffff" }, look: null, disclaimer: "" };
      const { data } = (await patch(brandId, changes)).body;
      expect(data).toMatchObject({ name: "Velo", look: null, disclaimer: null, language: "pt-BR" });
      expect(data.colors).toEqual({ primaryColor: "#ffffff" });
      expect((await client.update(brandId, { colors: null, name: "Velo 2" })).colors).toEqual({});
      expect((await client.delete(brandId)).name).toBe("Velo 2");
      for (const method of ["GET", "DELETE"]) {
        const gone = await send(service, method, `/api/v1/brands/${brandId}`, { key: rich.key });
        expect(codeOf(gone)).toEqual([404, "BRAND_NOT_FOUND"]);
      }
      expect(codeOf(await patch(brandId, { name: "Velo" }))).toEqual([404, "BRAND_NOT_FOUND"]);
    });

    it.each<[string, object, string]>([
      ["an empty name", { name: " " }, "name"],
      ["a name of 101 characters", { name: "n".repeat(101) }, "name"],
      ["a name of two lines", { name: "Ve\nlo" }, "name"],
      ["no colour", { colors: { primaryColor: "blue" } }, "colors.primaryColor"],
      ["an unknown colour", { colors: { secondaryColor: "#000000" } }, "colors"],
      ["an unknown look", { look: "brutal" }, "look"],
      ["an unknown button", { buttonStyle: "rule_outline" }, "buttonStyle"],
      ["a logo that is not an id", { assetIds: { logoOnLight: "logo" } }, "assetIds.logoOnLight"],
      ["an unknown kind of asset", { assetIds: { logo: randomUUID() } }, "assetIds"],
      ["a legal line of 201 characters", { disclaimer: "d".repeat(201) }, "disclaimer"],
      ["a language name instead of a code", { language: "german" }, "language"],
      ["an unknown member", { font: randomUUID() }, ""],
    ])("API §21.1 400: %s", async (_, over, path) => {
      const { brandId } = await client.create({ name: "Velo" });
      const before = await client.get(brandId);
      for (const answer of [await post({ name: "Velo", ...over }), await patch(brandId, over)]) {
        expect(codeOf(answer)).toEqual([400, "INVALID_REQUEST"]);
        expect(answer.body.error.details.issues[0].path).toBe(path);
        expect(await client.get(brandId)).toEqual(before);
      }
    });

    it("API §21.1 400: a new brand without a name", async () => {
      const answer = await post({ look: "bold" });
      expect([...codeOf(answer), answer.body.error.details.issues[0].path]).toEqual([
        ...[400, "INVALID_REQUEST", "name"],
      ]);
    });

    it("API §21.2 422, 409: a missing, foreign, misplaced or unready asset saves nothing", async () => {
      const { key } = await seedWorkspace(service, {});
      const { brands: own, assets } = clientOf(service, key);
      const logo = await uploadLogo(service, key);
      const theirs = await uploadLogo(service, stranger.key);
      const { assetId: unready } = await createIntent(service, key, LOGO);
      const brand = await own.create({ name: "Velo" });
      for (const [assetIds, status, code] of [
        [{ logoOnLight: randomUUID() }, 422, "ASSET_UNKNOWN"],
        [{ logoOnLight: logo, logoOnDark: theirs }, 422, "ASSET_UNKNOWN"],
        [{ headlineFont: logo }, 422, "SLOT_UNSUPPORTED"],
        [{ logoOnDark: unready }, 409, "ASSET_NOT_READY"],
      ] as const) {
        await expect(own.create({ name: "No", assetIds })).rejects.toMatchObject({ status, code });
        await expect(own.update(brand.brandId, { assetIds })).rejects.toMatchObject({ status, code });
      }
      expect((await own.list().firstPage()).items).toEqual([brand]);
      await own.update(brand.brandId, { assetIds: { logoOnLight: logo } });
      await assets.delete(logo);
      expect((await own.get(brand.brandId)).assetIds).toEqual({});
    });

    it("API §21.3 a preview of a foreign brand is 400 with a job's error code as reason, and needs assets:read", async () => {
      const { brandId } = await clientOf(service, stranger.key).brands.create({ name: "Theirs" });
      const json = { ...(await pack.request({ brandId })), assetIds: {} };
      const preview = (key: string) =>
        send(service, "POST", "/api/v1/previews", { key, json, idempotencyKey: newKey() });
      expect((await preview(rich.key)).body.error.details.reason).toBe("BRAND_UNKNOWN");
      const { key } = await seedKey(service, rich.workspaceId, { scopes: ["previews:write"] });
      expect(codeOf(await preview(key))).toEqual([403, "SCOPE_MISSING"]);
    });
  });
};
