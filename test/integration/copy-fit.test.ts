import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { newId } from "#platform/ids.ts";
import { getRenderer } from "#platform/render-engine.ts";
import interMedium from "../../src/renderer/fonts/inter-medium.ttf";
import worker from "../../src/worker.ts";
import { uploadAsset } from "../support/assets.ts";
import { selectValue } from "../support/database.ts";
import { type Client, expectInvariants, holdQueue, packOf, workspaceWithLogo } from "../support/jobs.ts";
import { call } from "../support/workspace.ts";

const LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen gratis";
const MEBIBYTE = 1024 * 1024;

/** Uploads the bundled font, padded at its end with bytes that belong to no table. */
async function uploadFont(client: Client, byteLength: number): Promise<string> {
  const bytes = new Uint8Array(byteLength);
  bytes.set(new Uint8Array(interMedium));
  return uploadAsset(client.secret, { slotId: "font", fileName: "inter.ttf", mimeType: "font/ttf", bytes });
}

const quote = (client: Client, changes: object) =>
  call("POST", "/api/v1/jobs/quote", { secret: client.secret, body: { ...packOf(client), ...changes } });

const errorIn = (answer: { readonly body: unknown }) =>
  (answer.body as { error: { code: string; details: { misfits: { sizeId: string; longest: string }[] } } })
    .error;

describe("API §4.50 a headline that does not fit", () => {
  it.each([
    ["of ordinary size", MEBIBYTE],
    ["too large for the memory reserved for small files", 4 * MEBIBYTE],
  ])("is refused in an uploaded font, %s, and the suggestion passes", async (_, byteLength) => {
    const client = await workspaceWithLogo();
    const assetIds = { logo: client.logoId, font: await uploadFont(client, byteLength) };
    const selectedSizeIds = ["gads-120x600", "iab-728x90"];
    const refused = await quote(client, { assetIds, selectedSizeIds, copy: { headline: LONG } });
    expect([refused.status, errorIn(refused).code]).toEqual([422, "COPY_DOES_NOT_FIT"]);
    const [misfit] = errorIn(refused).details.misfits;
    expect(misfit?.sizeId).toBe("gads-120x600");
    const copy = { headline: misfit?.longest };
    expect((await quote(client, { assetIds, selectedSizeIds, copy })).status).toBe(200);
  });

  it.each(["/api/v1/jobs", "/api/v1/jobs/quote", "/api/v1/previews"])(
    "is checked to the end by %s after a disconnect, because the check occupies memory",
    async (path) => {
      const client = await workspaceWithLogo();
      const context = createExecutionContext();
      const outliving = vi.spyOn(context, "waitUntil");
      const request = new Request(`https://packs.example${path}`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${client.secret}`,
          "Content-Type": "application/json",
          "Idempotency-Key": newId(),
        },
        body: JSON.stringify(
          packOf(client, { selectedSizeIds: ["gads-120x600"], copy: { headline: `${LONG} ${path}` } }),
        ),
      });
      const { fitWords } = getRenderer();
      const fitting = vi.spyOn(getRenderer(), "fitWords").mockImplementation((words) => {
        expect(outliving).toHaveBeenCalledOnce();
        return fitWords(words);
      });
      const response = await worker.fetch(request, env, context);
      await waitOnExecutionContext(context);
      expect(await response.text()).toContain("COPY_DOES_NOT_FIT");
      expect(fitting).toHaveBeenCalledOnce();
    },
  );

  it("is checked with its language, independently of other copy", async () => {
    const client = await workspaceWithLogo();
    const fitting = vi.spyOn(getRenderer(), "fitWords");
    const asked = {
      selectedSizeIds: ["iab-320x50", "iab-300x250", "iab-728x90"],
      copy: { headline: "Hallo Rad", subheadline: "Faltet sich", language: "de" },
      overrides: { "iab-300x250": { copy: { cta: "Los" } }, "iab-728x90": { copy: { headline: "" } } },
    };
    expect((await quote(client, asked)).status).toBe(200);
    const words = fitting.mock.calls.map(([{ outputs }]) => outputs.map(({ copy }) => copy));
    expect(words).toEqual([Array(2).fill({ headline: "Hallo Rad", language: "de" })]);
    // The cached result also serves an order with other copy.
    expect((await quote(client, { ...asked, copy: { ...asked.copy, price: "9 €" } })).status).toBe(200);
    expect(fitting).toHaveBeenCalledOnce();
  });

  it("opens the font once for the same copy, and never for a job without copy", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    const font = await uploadFont(client, MEBIBYTE + 1);
    const assetIds = { logo: client.logoId, font };
    const key = await selectValue<string>`SELECT object_key FROM assets WHERE asset_id = ${font}`;
    const reads = vi.spyOn(env.BUCKET, "get");
    const readsOfFont = () => reads.mock.calls.filter(([read]) => read === key).length;
    // The font's first request also reads its characters.
    await quote(client, { assetIds, copy: { cta: "Go" } });
    const before = readsOfFont();
    for (let times = 0; times < 3; times += 1) {
      await quote(client, { assetIds, copy: { headline: "Hello" } });
    }
    expect(readsOfFont() - before).toBe(1);
    await quote(client, { assetIds, copy: {} });
    expect(readsOfFont() - before).toBe(1);
    // In a bundled font a call to action fits any button; in an uploaded font it has to be checked.
    await quote(client, { assetIds, copy: { cta: "Go now" } });
    expect(readsOfFont() - before).toBe(2);
    await expectInvariants(client.workspaceId);
  });
});
