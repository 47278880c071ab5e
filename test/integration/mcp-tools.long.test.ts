import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { SCOPES } from "#api/scopes.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { mediaFile } from "../support/asset-files.ts";
import { savedBrand } from "../support/brands.ts";
import { consumeImport, FILE_URL, fileResponse, HOST, holdImportQueue, serve } from "../support/imports.ts";
import {
  acceptedJob,
  deliver,
  endedJob,
  expectInvariants,
  holdQueue,
  packOf,
  postJob,
  readJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { callTool, errorOf, messageIn, PROTOCOLS, post } from "../support/mcp.ts";
import { balanceOf } from "../support/refusals.ts";
import { call, createWorkspace } from "../support/workspace.ts";

const base64 = (bytes: Uint8Array): string => {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
};
const mediaBase64 = base64(mediaFile.bytes);

describe("API §17.6, §17.11 listing", () => {
  it.each(PROTOCOLS)(
    "%s: every tool has a title, a description, schemas and all four hints",
    async (protocol) => {
      const { secret } = await createWorkspace();
      const listed = await post("tools/list", {}, { secret, protocol });
      const { tools } = messageIn(listed).result;
      for (const tool of tools) {
        expect(tool.title, tool.name).toBeTruthy();
        expect(tool.description.length, tool.name).toBeGreaterThan(60);
        expect([tool.inputSchema.type, tool.outputSchema.type]).toEqual(["object", "object"]);
        expect(Object.keys(tool.annotations)).toEqual(
          expect.arrayContaining(["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]),
        );
      }
      // Every conversation of an agent begins with this list.
      expect(listed.bytes.byteLength).toBeLessThanOrEqual(16_384);
    },
  );

  it("resources: the catalogue, and each contract in full with a guidance page", async () => {
    const { secret } = await createWorkspace();
    const { resources } = messageIn(await post("resources/list", {}, { secret })).result;
    expect(resources).toHaveLength(1 + 2 * 4);
    for (const { uri, mimeType } of resources) {
      const { contents } = messageIn(await post("resources/read", { uri }, { secret })).result;
      expect(contents[0]).toMatchObject({ uri, mimeType });
      if (mimeType === "application/json") expect(JSON.parse(contents[0].text)).toBeTypeOf("object");
      else expect(contents[0].text).toMatch(/^# \w+\.v\d: [\s\S]+\| sizeId \|/);
    }
    const missing = await post("resources/read", { uri: "creative-packs://contracts/none" }, { secret });
    expect(messageIn(missing).error.message).toContain("not found");
  });
});

it("API §17.6 create_pack accepts the id of a brand from list_brands", async () => {
  const client = await workspaceWithLogo();
  const assetIds = { logoOnLight: client.logoId };
  const { brandId, name } = await savedBrand(client.secret, { name: "Velo", assetIds, look: "bold" });
  const { items } = (await callTool(client.secret, "list_brands")).structuredContent;
  expect(items).toEqual([{ brandId, name }]);
  const order = { ...packOf(client), assetIds: {}, brandId, idempotencyKey: newId() };
  const { pack } = (await callTool(client.secret, "create_pack", order)).structuredContent;
  expect(await readJob(client.secret, pack.jobId)).toMatchObject({
    brandId,
    look: "bold",
    assetIds: packOf(client).assetIds,
  });
});

describe("API §17.9 import_asset", () => {
  const imported = (secret: string, changes: Record<string, unknown> = {}) =>
    callTool(secret, "import_asset", { slotId: "media", fileName: "a.png", base64: mediaBase64, ...changes });

  it("stores a file with the metadata of its header, once per idempotency key", async () => {
    const { secret } = await createWorkspace();
    const idempotencyKey = newId();
    const first = (await imported(secret, { idempotencyKey })).structuredContent;
    expect(first).toMatchObject({ status: "ready", mimeType: "image/png", width: 480, height: 360 });
    const again = (await imported(secret, { idempotencyKey })).structuredContent;
    expect(again.assetId).toBe(first.assetId);
    const other = (await imported(secret, { base64: `data:image/png;base64,${mediaBase64}` }))
      .structuredContent;
    expect(other.assetId).not.toBe(first.assetId);
    const page = (await callTool(secret, "list_assets", { slotId: "media", limit: 1 })).structuredContent;
    expect(page.items).toEqual([other]);
    const rest = await callTool(secret, "list_assets", { before: page.nextBefore });
    expect(rest.structuredContent.items).toEqual([first]);
  });

  it("another file with the same key is IDEMPOTENCY_CONFLICT", async () => {
    const { secret } = await createWorkspace();
    const idempotencyKey = newId();
    await imported(secret, { idempotencyKey });
    const error = errorOf(await imported(secret, { idempotencyKey, fileName: "b.png" }));
    expect(error.code).toBe("IDEMPOTENCY_CONFLICT");
  });

  it("continues an interrupted import", async () => {
    const { secret } = await createWorkspace();
    const idempotencyKey = newId();
    vi.spyOn(env.BUCKET, "put").mockRejectedValueOnce(new Error("the bucket is down"));
    expect(errorOf(await imported(secret, { idempotencyKey })).code).toBe("INTERNAL_ERROR");
    vi.restoreAllMocks();
    expect((await imported(secret, { idempotencyKey })).structuredContent.status).toBe("ready");
    expect((await callTool(secret, "list_assets")).structuredContent.items).toHaveLength(1);
  });

  it("a URL is fetched by the queue, once per idempotency key through either interface", async () => {
    const { secret } = await createWorkspace();
    holdImportQueue();
    serve({ [FILE_URL]: fileResponse(mediaFile.bytes, mediaFile.mimeType) });
    const idempotencyKey = newId();
    const asked = { slotId: "media", url: FILE_URL, idempotencyKey };
    const started = (await callTool(secret, "import_asset", asked)).structuredContent;
    expect(started).toMatchObject({ status: "processing", importedFrom: HOST });
    const again = (await callTool(secret, "import_asset", asked)).structuredContent;
    const { body } = await call("POST", "/api/v1/assets/imports", {
      secret,
      body: { slotId: "media", url: FILE_URL },
      headers: { "Idempotency-Key": idempotencyKey },
    });
    expect([again.assetId, body.data.assetId]).toEqual([started.assetId, started.assetId]);
    await consumeImport(started.assetId);
    const { items } = (await callTool(secret, "list_assets")).structuredContent;
    expect(items).toMatchObject([{ assetId: started.assetId, status: "ready", width: 480 }]);
  });

  it("refuses bad files with their reason, and stores nothing", async () => {
    const { secret } = await createWorkspace();
    const small = base64(new TextEncoder().encode("hello, I am a picture"));
    for (const [changes, code, words] of [
      [{ base64: "A".repeat((LIMITS.agentFileBytesMax / 3) * 4 + 8) }, "INVALID_REQUEST", "longer than"],
      [{ base64: "not base64!" }, "INVALID_REQUEST", "is not base64"],
      [{ base64: "" }, "INVALID_REQUEST", "is not base64"],
      [{ base64: small }, "UPLOAD_INTENT_INVALID", "none of"],
      [{ base64: mediaBase64.slice(0, 400) }, "UPLOAD_INTENT_INVALID", ""],
      [{ slotId: "font" }, "UPLOAD_INTENT_INVALID", "takes font/otf"],
      [{ slotId: "background" }, "UPLOAD_INTENT_INVALID", "at least 512"],
      [{ slotId: "sofa" }, "INVALID_REQUEST", "slotId"],
      [{ fileName: "a/b.png" }, "UPLOAD_INTENT_INVALID", "folder"],
      [{ filename: "a.png" }, "INVALID_REQUEST", "did you mean `fileName`"],
      [{ base64: undefined }, "INVALID_REQUEST", "either"],
      [{ url: FILE_URL }, "INVALID_REQUEST", "either"],
    ] as const) {
      const error = errorOf(await imported(secret, changes));
      expect([error.code, error.message], JSON.stringify(changes).slice(0, 80)).toEqual([
        code,
        expect.stringContaining(words),
      ]);
    }
    expect((await callTool(secret, "list_assets")).structuredContent.items).toEqual([]);
  });
});

describe("preview_pack", () => {
  it("shows the image and its layout, and the same preview again for free", async () => {
    const client = await workspaceWithLogo();
    const first = await callTool(client.secret, "preview_pack", packOf(client));
    expect(first.content[0]).toMatchObject({ type: "image", mimeType: "image/png" });
    expect(atob(String(first.content[0]?.data)).slice(1, 4)).toBe("PNG");
    expect(first.structuredContent).toMatchObject({ cached: false, layout: { elements: expect.any(Array) } });
    expect(first.structuredContent.image.base64).toBeUndefined();
    const second = (await callTool(client.secret, "preview_pack", packOf(client))).structuredContent;
    expect([second.cached, second.quota.product.used]).toEqual([true, 1]);
    expect(await balanceOf(client.workspaceId)).toBe(20);
  });

  it("counts against the preview allowance", async () => {
    const client = await workspaceWithLogo();
    const settings = { PREVIEW_DAILY: "1" };
    await callTool(client.secret, "preview_pack", packOf(client), { settings });
    const other = packOf(client, { selectedSizeIds: ["iab-300x250"] });
    const error = errorOf(await callTool(client.secret, "preview_pack", other, { settings }));
    expect([error.code, error.details.quota]).toMatchObject([
      "PREVIEW_QUOTA_EXCEEDED",
      { product: { limit: 1 } },
    ]);
  });

  it("suggests the nearest sizes for an unknown size", async () => {
    const client = await workspaceWithLogo();
    const invented = packOf(client, { selectedSizeIds: ["banner-300x251"] });
    const error = errorOf(await callTool(client.secret, "preview_pack", invented));
    expect(error.code).toBe("SIZE_UNSUPPORTED");
    expect(error.details.nearestSizes).toMatchObject({
      "banner-300x251": expect.arrayContaining(["iab-300x250"]),
    });
  });

  it("refuses an override of an unselected size, and copy that does not fit, for which it suggests a headline", async () => {
    const client = await workspaceWithLogo();
    const stray = packOf(client, { overrides: { "iab-300x250": { variant: 2 } } });
    const error = errorOf(await callTool(client.secret, "preview_pack", stray));
    expect(error.details).toMatchObject({ reason: "OVERRIDE_UNSUPPORTED", sizeIds: ["iab-300x250"] });
    const long = packOf(client, { copy: { headline: "W".repeat(90) }, look: "retail", variant: 2 });
    const order = { ...long, idempotencyKey: newId() };
    const misfit = errorOf(await callTool(client.secret, "create_pack", order));
    expect(misfit).toMatchObject({
      code: "COPY_DOES_NOT_FIT",
      details: { misfits: [{ sizeId: "iab-320x50" }] },
    });
  });
});

describe("API §17.12 quote_pack", () => {
  it("charges nothing, and returns the cost, whether it is covered, and each size in pixels", async () => {
    const client = await workspaceWithLogo({ credits: 4 });
    const sizes = { selectedSizeIds: ["iab-300x250", "iab-320x50"] };
    const quote = (changes: object = {}) =>
      callTool(client.secret, "quote_pack", packOf(client, { ...sizes, ...changes }));
    expect((await quote()).structuredContent).toMatchObject({
      expectedCost: { amount: 2, unit: "credit" },
      isCovered: true,
      left: { credits: { available: 4 } },
      sizes: [
        { sizeId: "iab-300x250", width: 300, height: 250 },
        { sizeId: "iab-320x50", width: 320, height: 50 },
      ],
    });
    const animated = await quote({ motion: "animated", outputFormat: "gif" });
    expect(animated.structuredContent).toMatchObject({ expectedCost: { amount: 6 }, isCovered: false });
    expect(await balanceOf(client.workspaceId)).toBe(4);
    await expectInvariants(client.workspaceId);
  });

  it("returns create_pack's refusals with the nearest sizes, and hides the balance from a key without balance:read", async () => {
    const scopes = SCOPES.filter((scope) => scope !== "balance:read");
    const client = await workspaceWithLogo({ credits: 4, scopes });
    const invented = packOf(client, { selectedSizeIds: ["banner-300x251"] });
    const error = errorOf(await callTool(client.secret, "quote_pack", invented));
    expect(error).toMatchObject({ code: "SIZE_UNSUPPORTED", details: { nearestSizes: expect.anything() } });
    const quoted = await callTool(client.secret, "quote_pack", packOf(client));
    expect(quoted.structuredContent).toMatchObject({ isCovered: null, left: null });
  });
});

describe("API §17.7, §17.8 create_pack", () => {
  it("an idempotency key names one order, whichever interface is used", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    const idempotencyKey = newId();
    const posted = await postJob(client.secret, packOf(client), idempotencyKey);
    const order = { ...packOf(client), idempotencyKey };
    const called = (await callTool(client.secret, "create_pack", order)).structuredContent;
    expect([called.isReplay, called.pack.jobId]).toEqual([true, posted.body.data.jobId]);
    const other = { ...order, selectedSizeIds: ["iab-300x250"] };
    expect(errorOf(await callTool(client.secret, "create_pack", other)).code).toBe("IDEMPOTENCY_CONFLICT");
    expect(await balanceOf(client.workspaceId)).toBe(19);
  });

  it("invalid arguments are refused with the next action, and cost nothing", async () => {
    const client = await workspaceWithLogo();
    const poor = await workspaceWithLogo({ credits: 0 });
    const order = (changes: Record<string, unknown>) => ({
      ...packOf(client),
      idempotencyKey: newId(),
      ...changes,
    });
    for (const [changes, code, words] of [
      [{ idempotencyKey: undefined }, "INVALID_REQUEST", "idempotencyKey: is required"],
      [{ selectedSizeIds: [] }, "INVALID_REQUEST", "at least 1"],
      [{ selectedSizeIds: ["iab-320x50", "iab-320x50"] }, "INVALID_REQUEST", "twice"],
      [{ sizes: ["iab-320x50"] }, "INVALID_REQUEST", "Unknown member `sizes`"],
      [{ selectedSizeIds: ["instagram-story", "iab-320x50"] }, "SIZE_UNSUPPORTED", "Nearest sizes"],
      [{ contractId: "display.v9" }, "CONTRACT_UNSUPPORTED", "display.v9"],
      [{ outputFormat: "gif" }, "FORMAT_UNSUPPORTED", "takes"],
      [{ assetIds: {} }, "VISUAL_ASSET_REQUIRED", "no picture"],
      [{ assetIds: { logo: newId() } }, "ASSET_UNKNOWN", ""],
      [{ copy: { headline: "a".repeat(91) } }, "INVALID_REQUEST", "at most 90"],
    ] as const) {
      const error = errorOf(await callTool(client.secret, "create_pack", order(changes)));
      expect([error.code, error.message], JSON.stringify(changes)).toEqual([
        code,
        expect.stringContaining(words),
      ]);
    }
    const unpaid = { ...packOf(poor), idempotencyKey: newId() };
    const error = errorOf(await callTool(poor.secret, "create_pack", unpaid));
    expect(error).toMatchObject({ code: "PAYMENT_REQUIRED", details: { required: 1, available: 0 } });
    expect(await balanceOf(client.workspaceId)).toBe(20);
  });

  it("a failure of the service is reported without its error message", async () => {
    const client = await workspaceWithLogo();
    vi.spyOn(env.DB, "withSession").mockImplementation(() => {
      throw new Error("secret words of the database");
    });
    const result = await callTool(client.secret, "list_assets");
    expect(errorOf(result).code).toBe("INTERNAL_ERROR");
    expect(JSON.stringify(result)).not.toContain("secret words");
  });
});

describe("API §17.10 get_pack and cancel_pack", () => {
  it("a finished pack has links to each file and the ZIP, valid for an hour without a key", async () => {
    const client = await workspaceWithLogo();
    const { jobId } = await acceptedJob(client);
    await deliver({ jobId, part: 0 });
    await endedJob(client.secret, jobId);
    const nowMs = Date.now();
    vi.spyOn(clock, "now").mockReturnValue(nowMs);
    const { pack, files } = (await callTool(client.secret, "get_pack", { jobId })).structuredContent;
    expect(pack).toMatchObject({
      status: "succeeded",
      progress: { total: 1, completed: 1 },
      pollAfterSeconds: null,
    });
    expect(Date.parse(files.expiresAt) - nowMs).toBe(3_600_000);
    expect(files.items).toMatchObject([{ sizeId: "iab-320x50", role: "primary", verdict: "pass" }]);
    for (const [url, type] of [
      [files.items[0].url, "image/png"],
      [files.zip.url, "application/zip"],
    ]) {
      const path = new URL(url).pathname;
      vi.spyOn(clock, "now").mockReturnValue(nowMs + 3_599_000);
      const sent = await call("GET", path);
      expect([sent.status, sent.headers.get("Content-Type")]).toEqual([200, type]);
      vi.spyOn(clock, "now").mockReturnValue(nowMs + 3_600_000);
      expect((await call("GET", path)).body.error.code).toBe("LINK_INVALID");
    }
  });

  it("API §17.13 share_pack creates a link to a finished pack of the key's workspace, like the API", async () => {
    const client = await workspaceWithLogo();
    const { jobId } = await acceptedJob(client);
    await deliver({ jobId, part: 0 });
    const { artifactId } = await endedJob(client.secret, jobId);
    const asked = { artifactId, name: "First round", dueAt: "2099-01-01T00:00:00Z" };
    const shared = (await callTool(client.secret, "share_pack", asked)).structuredContent;
    expect(shared).toMatchObject({ artifactId, status: "open", isClean: false });
    const token = new URL(shared.url).pathname.split("/").at(-1);
    const { body } = await call("GET", `/api/v1/shared/${token}`);
    expect(body.data).toMatchObject({ name: "First round", files: [{ sizeId: "iab-320x50" }] });
    const listed = await call("GET", `/api/v1/artifacts/${artifactId}/shares`, { secret: client.secret });
    expect(listed.body.data.items).toMatchObject([{ shareId: shared.shareId, url: shared.url }]);

    const stranger = await workspaceWithLogo();
    expect(errorOf(await callTool(stranger.secret, "share_pack", asked)).code).toBe("ARTIFACT_NOT_FOUND");
    for (const changes of [{ expiresAt: "2001-01-01T00:00:00Z" }, { name: "" }, { jobId }]) {
      const refused = await callTool(client.secret, "share_pack", { ...asked, ...changes });
      expect(errorOf(refused).code, JSON.stringify(changes)).toBe("INVALID_REQUEST");
    }
  });

  it("API §17.10 a finished pack is shown with a few small stills, without damaged ones", async () => {
    const client = await workspaceWithLogo();
    const selectedSizeIds = ["iab-300x250", "iab-320x50", "iab-728x90", "iab-160x600", "iab-970x250"];
    const { jobId } = await acceptedJob(client, { selectedSizeIds });
    for (const [part] of selectedSizeIds.entries()) await deliver({ jobId, part });
    await endedJob(client.secret, jobId);
    const pictures = async () =>
      (await callTool(client.secret, "get_pack", { jobId })).content.filter(({ type }) => type === "image");
    const shown = await pictures();
    expect(shown).toHaveLength(LIMITS.agentPicturesMax);
    expect(shown.every(({ mimeType }) => mimeType === "image/png")).toBe(true);
    expect(JSON.stringify(shown).length).toBeLessThan(1_000_000);
    const prefix = `workspaces/${client.workspaceId}/artifacts/`;
    const { objects } = await env.BUCKET.list({ prefix });
    const damaged = objects.find(({ key }) => key.includes("320x50"))?.key ?? "";
    await env.BUCKET.put(damaged, "no picture", { httpMetadata: { contentType: "image/png" } });
    expect(await pictures()).toHaveLength(LIMITS.agentPicturesMax - 1);
  });

  it("a key without artifacts:read gets the pack, and the reason why its files are missing", async () => {
    const client = await workspaceWithLogo({
      credits: 20,
      scopes: SCOPES.filter((scope) => scope !== "artifacts:read"),
    });
    const { jobId } = await acceptedJob(client);
    await deliver({ jobId, part: 0 });
    await endedJob(client.secret, jobId);
    const { structuredContent: shown, content } = await callTool(client.secret, "get_pack", { jobId });
    expect(shown).toMatchObject({ pack: { status: "succeeded" }, files: null });
    expect(shown.filesNote).toContain("artifacts:read");
    expect(content.map(({ type }) => type)).toEqual(["text"]);
  });

  it("a queued pack is canceled and refunded once", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    const { jobId } = await acceptedJob(client);
    expect((await callTool(client.secret, "get_pack", { jobId })).structuredContent).toMatchObject({
      pack: { status: "queued", pollAfterSeconds: 2 },
      files: null,
      filesNote: null,
    });
    for (let time = 0; time < 2; time += 1) {
      const canceled = (await callTool(client.secret, "cancel_pack", { jobId })).structuredContent;
      expect(canceled).toMatchObject({ pack: { status: "canceled" }, left: { credits: { available: 20 } } });
    }
    await expectInvariants(client.workspaceId);
  });

  it("another workspace's pack is not found", async () => {
    holdQueue();
    const owner = await workspaceWithLogo();
    const stranger = await workspaceWithLogo();
    const { jobId } = await acceptedJob(owner);
    for (const tool of ["get_pack", "cancel_pack"]) {
      const foreign = errorOf(await callTool(stranger.secret, tool, { jobId }));
      const missing = errorOf(await callTool(stranger.secret, tool, { jobId: newId() }));
      expect(foreign).toEqual(missing);
    }
    expect(errorOf(await callTool(owner.secret, "get_pack", { jobId: "1" })).message).toContain(
      "must be a UUID",
    );
  });
});
