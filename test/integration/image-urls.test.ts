import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { clock } from "#platform/clock.ts";
import { countRows, execute, selectRows, selectValue } from "../support/database.ts";
import { type ImageWishes, imagePath, newImageSecret } from "../support/images.ts";
import { expectInvariants, holdQueue, workspaceWithLogo } from "../support/jobs.ts";
import { balanceOf, codeOf, refusalOf } from "../support/refusals.ts";
import { type Call, call, createWorkspace, type Settings } from "../support/workspace.ts";

/** test/fault/crash-images.long.test.ts tests interruptions. */

/** A workspace with an image secret. */
async function signer(options?: Parameters<typeof workspaceWithLogo>[0]) {
  const client = await workspaceWithLogo(options);
  const signing = await newImageSecret(client.secret);
  const path = (wishes?: ImageWishes) => imagePath(signing.secret, client.logoId, wishes);
  return { ...client, signing, path };
}

const load = (path: string, given: Call = {}) => call("GET", path, given);

/** Loads until the image is drawn, like a browser that obeys Retry-After. */
async function loaded(path: string) {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const answer = await load(path);
    if (answer.status !== 503) return answer;
  }
  throw new Error("the image is never ready");
}

const jobsOf = (workspaceId: string) => countRows("jobs", workspaceId);

describe("an image URL", () => {
  it("is drawn once for any secret and expiry, then served from storage", async () => {
    const client = await signer({ credits: 2 });
    const first = await loaded(await client.path({ parameters: { headline: "Two wheels" } }));
    expect(first.status).toBe(200);
    expect(first.bytes.slice(1, 4)).toEqual(new TextEncoder().encode("PNG"));
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=3600, immutable",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    });
    const other = await newImageSecret(client.secret);
    const expiresAt = new Date(clock.now() + 600_000);
    const again = await imagePath(other.secret, client.logoId, {
      expiresAt,
      parameters: { headline: "Two wheels" },
    });
    const second = await load(again);
    expect([second.status, second.bytes]).toEqual([200, first.bytes]);
    expect(second.headers.get("Cache-Control")).toMatch(/^public, max-age=(5\d\d|600), immutable$/);
    const etag = first.headers.get("ETag") ?? "";
    expect((await load(again, { headers: { "If-None-Match": etag } })).status).toBe(304);
    const head = await call("HEAD", again);
    expect([head.status, head.headers.get("ETag"), head.bytes.byteLength]).toEqual([200, etag, 0]);
    expect(head.headers.get("Content-Length")).toBe(String(first.bytes.byteLength));
    expect(await balanceOf(client.workspaceId)).toBe(1);
    const ledger = await call("GET", "/api/v1/usage", { secret: client.secret });
    expect(ledger.body.data.items[0]).toMatchObject({ amount: -1, description: "Image URL reserved" });
    await expectInvariants(client.workspaceId);
  });

  it("is not a pack: it is in no list, and sends no webhook messages", async () => {
    const client = await signer();
    await execute`INSERT INTO destinations (destination_id, workspace_id, kind, identity, settings, sealed, events, created_at)
      VALUES (${client.logoId}, ${client.workspaceId}, 'webhook', 'x', '{}', 'v1.x', '["job.succeeded"]', 1)`;
    expect((await loaded(await client.path())).status).toBe(200);
    const jobs = await call("GET", "/api/v1/jobs", { secret: client.secret });
    expect([jobs.body.data.items, await countRows("deliveries", client.workspaceId)]).toEqual([[], 0]);
    const jobId =
      await selectValue<string>`SELECT job_id FROM jobs WHERE workspace_id = ${client.workspaceId}`;
    const job = await call("GET", `/api/v1/jobs/${jobId}`, { secret: client.secret });
    expect([job.status, job.body.data.status]).toEqual([200, "succeeded"]);
  });

  it("is still served at no further cost after the engine changed and its asset and files were deleted", async () => {
    const client = await signer();
    const path = await client.path();
    const { bytes } = await loaded(path);
    const { objects } = await env.BUCKET.list({ prefix: `workspaces/${client.workspaceId}/artifacts/` });
    await env.BUCKET.delete(objects.map(({ key }) => key));
    await execute`UPDATE artifacts SET status = 'expired', expires_at = 1, purged_at = 2 WHERE workspace_id = ${client.workspaceId}`;
    await execute`UPDATE jobs SET render_fingerprint = 'of an old engine' WHERE workspace_id = ${client.workspaceId}`;
    await call("DELETE", `/api/v1/assets/${client.logoId}`, { secret: client.secret });
    expect((await load(path)).bytes).toEqual(bytes);
    expect(await balanceOf(client.workspaceId)).toBe(19);
  });

  it("is drawn once and charged once for a hundred concurrent requests", async () => {
    const client = await signer();
    const path = await client.path();
    const held = holdQueue();
    vi.spyOn(clock, "wait").mockResolvedValue();
    const answers = await Promise.all(Array.from({ length: 100 }, () => load(path)));
    expect(new Set(answers.map((answer) => refusalOf(answer).join()))).toEqual(
      new Set(["503,IMAGE_NOT_READY"]),
    );
    expect(answers[0]?.headers.get("Retry-After")).toBe("2");
    expect(answers[0]?.headers.get("Cache-Control")).toContain("no-store");
    expect([await jobsOf(client.workspaceId), await balanceOf(client.workspaceId)]).toEqual([1, 19]);
    held.mockRestore();
    vi.restoreAllMocks();
  });

  it("shows and costs nothing when any part of it is altered", async () => {
    const client = await signer();
    const wishes = {
      parameters: { headline: "Hello", cta: "Go", look: "bold", primaryColor: "#0b5fff", version: "1" },
      expiresAt: new Date(clock.now() + 3_600_000),
    };
    const url = new URL(await client.path(wishes), "https://packs.example");
    const altered = [...url.searchParams.keys()].map((name) => {
      const changed = new URL(url);
      const value = url.searchParams.get(name) ?? "";
      changed.searchParams.set(name, name === "key" ? `${"0".repeat(64)}` : `${value}1`);
      return changed;
    });
    const [, , signature = "", file = ""] = url.pathname.split("/");
    const paths = [
      ...altered.map(({ pathname, search }) => pathname + search),
      ...["logo", "headline", "exp", "version"].map((name) => {
        const without = new URL(url);
        without.searchParams.delete(name);
        return without.pathname + without.search;
      }),
      `/i/${signature}/iab-300x50.png${url.search}`,
      `/i/${signature}/${file.replace("png", "jpg")}${url.search}`,
      `/i/${signature.slice(0, -1)}${signature.endsWith("A") ? "B" : "A"}/${file}${url.search}`,
      `/i/${signature}=/${file}${url.search}`,
      `/i/unsigned/${file}${url.search}`,
    ];
    for (const path of paths)
      expect([path, ...refusalOf(await load(path))]).toEqual([path, 403, "LINK_INVALID"]);
    for (const more of ["&headline=Hello", "&width=3", "&__proto__x=1"]) {
      expect(refusalOf(await load(url.pathname + url.search + more))).toEqual([400, "INVALID_REQUEST"]);
    }
    expect([await jobsOf(client.workspaceId), await balanceOf(client.workspaceId)]).toEqual([0, 20]);
  });

  it("is refused if it is expired or too long, or its secret was revoked, even if the image is drawn", async () => {
    const client = await signer();
    const past = await client.path({ expiresAt: new Date(clock.now() - 1_000) });
    expect(refusalOf(await load(past))).toEqual([403, "LINK_INVALID"]);
    const long = await client.path({ parameters: { headline: "x".repeat(LIMITS.imageUrlCharactersMax) } });
    expect(refusalOf(await load(long))).toEqual([400, "INVALID_REQUEST"]);
    const path = await client.path();
    expect((await loaded(path)).status).toBe(200);
    const { imageSecretId } = client.signing;
    const revoke = () => call("DELETE", `/api/v1/image-secrets/${imageSecretId}`, { secret: client.secret });
    expect((await revoke()).status).toBe(200);
    expect(refusalOf(await revoke())).toEqual([404, "IMAGE_SECRET_NOT_FOUND"]);
    expect(refusalOf(await load(path))).toEqual([403, "LINK_INVALID"]);
  });

  it("is refused like an order: foreign ids, unknown sizes, motion, insufficient credit", async () => {
    const client = await signer();
    const stranger = await workspaceWithLogo();
    const refusals: [ImageWishes, number, string][] = [
      [{ parameters: { media: stranger.logoId } }, 422, "ASSET_UNKNOWN"],
      [{ parameters: { brandId: stranger.logoId } }, 422, "BRAND_UNKNOWN"],
      [{ parameters: { logo: "mine" } }, 400, "INVALID_REQUEST"],
      [{ parameters: { look: "unknown" } }, 422, "LOOK_UNSUPPORTED"],
      [{ parameters: { variant: "99" } }, 400, "INVALID_REQUEST"],
      [{ parameters: { headline: "x".repeat(91) } }, 400, "INVALID_REQUEST"],
      [{ parameters: { contractId: "none.v1" } }, 422, "CONTRACT_UNSUPPORTED"],
      [{ sizeId: "iab-300x251" }, 422, "SIZE_UNSUPPORTED"],
    ];
    for (const [wishes, status, code] of refusals) {
      const answer = await load(await client.path(wishes));
      expect([wishes, ...refusalOf(answer)]).toEqual([wishes, status, code]);
      expect(answer.headers.get("Cache-Control")).toContain("no-store");
    }
    const misspelt = await load(await client.path({ sizeId: "iab-300x251" }));
    expect(misspelt.body.error.message).toContain("Did you mean `iab-300x250`?");
    const gif = (await client.path()).replace(".png", ".gif");
    expect(refusalOf(await load(gif))).toEqual([403, "LINK_INVALID"]);
    expect([await jobsOf(client.workspaceId), await balanceOf(client.workspaceId)]).toEqual([0, 20]);
    const foreign = await signer({ quota: 1 });
    expect((await loaded(await foreign.path())).status).toBe(200);
    expect(refusalOf(await load(await foreign.path({ parameters: { version: "2" } })))).toEqual([
      402,
      "PAYMENT_REQUIRED",
    ]);
  });

  it("is attempted again only after a wait if it failed, and each attempt is charged and refunded once", async () => {
    const client = await signer();
    const held = holdQueue();
    vi.spyOn(clock, "wait").mockResolvedValue();
    const path = await client.path();
    expect(refusalOf(await load(path))).toEqual([503, "IMAGE_NOT_READY"]);
    const [job] = await selectRows<{
      job_id: string;
    }>`SELECT job_id FROM jobs WHERE workspace_id = ${client.workspaceId}`;
    const canceled = await call("POST", `/api/v1/jobs/${job?.job_id}/cancel`, { secret: client.secret });
    expect(canceled.status).toBe(200);
    const failed = await load(path);
    expect(refusalOf(failed)).toEqual([502, "IMAGE_FAILED"]);
    expect(Number(failed.headers.get("Retry-After"))).toBeGreaterThan(500);
    expect([await jobsOf(client.workspaceId), await balanceOf(client.workspaceId)]).toEqual([1, 20]);
    await execute`UPDATE jobs SET finished_at = finished_at - ${LIMITS.imageRetryMs} WHERE workspace_id = ${client.workspaceId}`;
    expect(refusalOf(await load(path))).toEqual([503, "IMAGE_NOT_READY"]);
    expect([await jobsOf(client.workspaceId), await balanceOf(client.workspaceId)]).toEqual([2, 19]);
    await expectInvariants(client.workspaceId);
    held.mockRestore();
    vi.restoreAllMocks();
  });

  it("is limited per workspace and day, and per network if its signature is wrong", async () => {
    const client = await signer();
    holdQueue();
    vi.spyOn(clock, "wait").mockResolvedValue();
    const at = async (version: string, settings: Settings) =>
      load(await client.path({ parameters: { version } }), { settings });
    const day = { IMAGES_DAILY: "2" };
    expect(refusalOf(await at("1", day))).toEqual([503, "IMAGE_NOT_READY"]);
    expect(refusalOf(await at("2", day))).toEqual([503, "IMAGE_NOT_READY"]);
    const full = await at("3", day);
    expect([...refusalOf(full), await balanceOf(client.workspaceId)]).toEqual([429, "RATE_LIMITED", 18]);
    expect(refusalOf(await at("1", day))).toEqual([503, "IMAGE_NOT_READY"]);
    await execute`UPDATE workspaces SET suspended_at = 1 WHERE workspace_id = ${client.workspaceId}`;
    expect(refusalOf(await at("4", {}))).toEqual([403, "LINK_INVALID"]);
    const headers = { "CF-Connecting-IP": "192.0.2.77" };
    const codes = new Set<string>();
    for (let guess = 0; guess <= LIMITS.refusedKeysPerWindowMax; guess += 1) {
      const key = `${client.workspaceId}${crypto.randomUUID()}`.replaceAll("-", "");
      codes.add(codeOf(await load(`/i/${"A".repeat(43)}/iab-320x50.png?key=${key}`, { headers })));
    }
    expect([...codes]).toEqual(["LINK_INVALID", "RATE_LIMITED"]);
    vi.restoreAllMocks();
  });

  it("is 501 if the origin lacks a required setting or binding", async () => {
    const client = await signer();
    const path = await client.path();
    for (const name of ["BUCKET", "RENDER_QUEUE", "DELIVERY_ENCRYPTION_KEY"] as const) {
      const answer = await load(path, { settings: { [name]: undefined } });
      expect([name, ...refusalOf(answer)]).toEqual([name, 501, "SERVICE_NOT_CONFIGURED"]);
    }
  });
});

describe("a signing secret", () => {
  it("gives the same signature to URLs from the API and from the library", async () => {
    const client = await signer();
    const body = {
      sizeId: "iab-320x50",
      parameters: { logo: client.logoId, headline: "Größe & mehr (100 %)!" },
    };
    const sign = (changes: object = {}) =>
      call("POST", "/api/v1/image-urls", { secret: client.secret, body: { ...body, ...changes } });
    const { url } = (await sign()).body.data;
    expect(url).toBe(`https://packs.example${await client.path({ parameters: body.parameters })}`);
    expect((await loaded(url.replace("https://packs.example", ""))).status).toBe(200);
    expect(refusalOf(await sign({ expiresAt: "2020-01-01T00:00:00Z" }))).toEqual([400, "INVALID_REQUEST"]);
    expect(refusalOf(await sign({ parameters: { logo: crypto.randomUUID() } }))).toEqual([
      422,
      "ASSET_UNKNOWN",
    ]);
    expect(refusalOf(await sign({ imageSecretId: client.logoId }))).toEqual([404, "IMAGE_SECRET_NOT_FOUND"]);
    expect(await balanceOf(client.workspaceId)).toBe(19);
  });

  it("is shown once, stored encrypted, limited, and refused to keys with an expiry or budget", async () => {
    const client = await signer();
    const listed = await call("GET", "/api/v1/image-secrets", { secret: client.secret });
    expect(listed.body.data.items).toEqual([
      { imageSecretId: client.signing.imageSecretId, name: "Shop", createdAt: expect.any(String) },
    ]);
    const sealed =
      await selectValue<string>`SELECT sealed FROM image_secrets WHERE workspace_id = ${client.workspaceId}`;
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\./);
    const make = (secret: string) =>
      call("POST", "/api/v1/image-secrets", { secret, body: { name: "More" } });
    const keyWith = async (more: object) =>
      (
        await call("POST", "/api/v1/api-keys", {
          secret: client.secret,
          body: { name: "k", scopes: ["images:write"], ...more },
        })
      ).body.data.secret;
    const refused = [403, "SCOPE_NOT_GRANTABLE"];
    expect(refusalOf(await make(await keyWith({ budget: { daily: 1 } })))).toEqual(refused);
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    expect(refusalOf(await make(await keyWith({ expiresAt })))).toEqual(refused);
    const testKey = await keyWith({ livemode: false });
    expect(refusalOf(await make(testKey))).toEqual([403, "TEST_KEY_REFUSED"]);
    const reader = await createWorkspace({ scopes: ["jobs:write"] });
    expect(refusalOf(await make(reader.secret))).toEqual([403, "SCOPE_MISSING"]);
    for (let count = 1; count < LIMITS.imageSecretsPerWorkspaceMax; count += 1) {
      expect((await make(client.secret)).status).toBe(201);
    }
    expect(refusalOf(await make(client.secret))).toEqual([409, "IMAGE_SECRET_LIMIT_REACHED"]);
  });
});
