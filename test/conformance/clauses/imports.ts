import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LocalServer, serve } from "../../../scripts/run/receivers/serve.ts";
import { type Answer, expectRateLimitHeaders, send } from "../support/client.ts";
import { LOGO_SVG, photo } from "../support/files.ts";
import { newKey } from "../support/flow.ts";
import type { Harness } from "../support/harness.ts";

const IMPORTS = "/api/v1/assets/imports";
/** Maximum number of polls; together they last many times as long as an import. */
const POLLS_MAX = 600;

/**
 * Imports over HTTP, without redirects: in this setup the service's fetch follows them itself.
 * test/stress/imports.long.test.ts tests redirects in the runtime.
 */
export const imports = (harness: Harness): void => {
  const { service, rich } = harness;
  let server: LocalServer;
  let picture: Uint8Array<ArrayBuffer>;
  const asked: Request[] = [];

  const answer = async (request: Request): Promise<Response> => {
    asked.push(request);
    const { pathname } = new URL(request.url);
    if (pathname === "/beach.jpg")
      return new Response(picture, { headers: { "Content-Type": "image/jpeg" } });
    if (pathname === "/logo.svg")
      return new Response(LOGO_SVG, { headers: { "Content-Type": "text/plain" } });
    if (pathname === "/page")
      return new Response("<!doctype html>", { headers: { "Content-Type": "text/html" } });
    return new Response(null, { status: 404 });
  };

  const post = (json: unknown, idempotencyKey = newKey()): Promise<Answer> =>
    send(service, "POST", IMPORTS, { key: rich.key, json, idempotencyKey });
  const read = (assetId: string): Promise<Answer> =>
    send(service, "GET", `/api/v1/assets/${assetId}`, { key: rich.key });

  /** Imports a path of the server, and polls until the import has ended. */
  async function ended(path: string, slotId = "media"): Promise<Answer> {
    const accepted = await post({ slotId, url: `${server.origin}${path}` });
    expect(accepted.status).toBe(202);
    for (let poll = 0; poll < POLLS_MAX; poll += 1) {
      const asset = await read(accepted.body.data.assetId);
      if (asset.body.data.status !== "processing") return asset;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("the import does not end");
  }

  /**
   * Repeats a request until its status is no longer `status`, because on a slow machine an import outlasts one request.
   */
  async function untilNot(status: number, ask: () => Promise<Answer>): Promise<Answer> {
    for (let time = 0; time < POLLS_MAX; time += 1) {
      const answer = await ask();
      if (answer.status !== status) return answer;
    }
    throw new Error(`always ${status}`);
  }

  describe("API §4.43 POST /assets/imports", () => {
    beforeAll(async () => {
      picture = new Uint8Array(await photo(640, 480));
      server = await serve(answer);
    });
    afterAll(() => server.close());

    it("202 with Location and Retry-After, then the same asset as by upload", async () => {
      const url = `${server.origin}/beach.jpg?token=in-the-query`;
      const key = newKey();
      const accepted = await post({ slotId: "media", url, fileName: "beach.jpg" }, key);
      expect(accepted.status).toBe(202);
      expectRateLimitHeaders(accepted);
      expect(accepted.body.data.import).toMatchObject({ attempts: 0, lastFailure: null });
      const { assetId } = accepted.body.data;
      expect(accepted.headers.get("Location")).toBe(`/api/v1/assets/${assetId}`);
      expect(Number(accepted.headers.get("Retry-After"))).toBeGreaterThan(0);
      const ready = await ended("/beach.jpg");
      expect(ready.headers.get("Retry-After")).toBeNull();
      expect(ready.body.data).toMatchObject({
        ...{
          status: "ready",
          mimeType: "image/jpeg",
          width: 640,
          height: 480,
          byteLength: picture.byteLength,
          import: null,
        },
        sha256: createHash("sha256").update(picture).digest("hex"),
        importedFrom: new URL(server.origin).host,
      });
      const again = await post({ slotId: "media", url, fileName: "beach.jpg" }, key);
      expect([again.status, again.body.data.assetId]).toEqual([200, assetId]);
      const other = await post({ slotId: "logo", url }, key);
      expect([other.status, other.body.error.code]).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
    });

    it("an SVG served as text is accepted as SVG", async () => {
      expect((await ended("/logo.svg", "logo")).body.data).toMatchObject({
        ...{ status: "ready", mimeType: "image/svg+xml" },
      });
    });

    it("API §4.44 422 for an address that deliveries refuse, and 400 for an unknown slot", async () => {
      for (const url of ["https://10.0.0.1/a.png", "http://images.example.com/a.png", "https://a.b:22/"]) {
        const refused = await post({ slotId: "media", url });
        expect([refused.status, refused.body.error.code]).toEqual([422, "ADDRESS_REFUSED"]);
      }
      const invalid = await post({ slotId: "hero", url: `${server.origin}/beach.jpg` });
      expect([invalid.status, invalid.body.error.code]).toEqual([400, "UPLOAD_INTENT_INVALID"]);
    });

    it.each([
      ["/missing.jpg", "SOURCE_REFUSED"],
      ["/page", "UNSUPPORTED"],
      ["/logo.svg", "UNSUPPORTED"],
    ])("API §4.45 %s is rejected at once: %s", async (path, code) => {
      const { status, rejection, mimeType, byteLength } = (await ended(path)).body.data;
      expect([status, rejection.code, mimeType, byteLength]).toEqual(["rejected", code, null, null]);
    });

    it("API §4.46 the address is never shown, and gets no credentials", async () => {
      const asset = await ended("/missing.jpg?token=in-the-query");
      expect(JSON.stringify(asset.body)).not.toContain("in-the-query");
      expect(service.logs()).not.toContain("in-the-query");
      for (const { headers } of asked) {
        expect([headers.get("Authorization"), headers.get("Cookie")]).toEqual([null, null]);
      }
    });

    it("API §4.57, §4.58 an order with files by URL returns its pack's manifest, also on replay", async () => {
      const json = {
        contractId: "display.v1",
        selectedSizeIds: ["iab-320x50"],
        assets: { media: { url: `${server.origin}/beach.jpg?order` } },
      };
      const idempotencyKey = newKey();
      const headers = { Prefer: "respond-async, wait=30" };
      const order = (of: object = json) =>
        send(service, "POST", "/api/v1/jobs", { key: rich.key, json: of, idempotencyKey, headers });
      const answer = await untilNot(409, order);
      expect([answer.status, answer.headers.get("Preference-Applied")]).toEqual([202, "wait=30"]);
      const { jobId, status, artifact, artifactId, assetIds } = answer.body.data;
      expect([status, artifact.artifactId, artifact.files.length]).toEqual(["succeeded", artifactId, 1]);
      expect((await read(assetIds.media)).body.data.status).toBe("ready");
      const replay = await order();
      expect([replay.status, replay.body.data.jobId, replay.body.data.artifact]).toEqual([
        200,
        jobId,
        artifact,
      ]);
      const other = await order({ ...json, assets: { media: { url: `${server.origin}/beach.jpg` } } });
      expect([other.status, other.body.error.code]).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
      const page = { ...json, assets: { media: { url: `${server.origin}/page` } } };
      const refused = await untilNot(409, () =>
        send(service, "POST", "/api/v1/jobs", {
          key: rich.key,
          json: page,
          idempotencyKey: `${idempotencyKey}-page`,
        }),
      );
      expect([refused.status, refused.body.error.details.rejection.code]).toEqual([422, "UNSUPPORTED"]);
      const gone = {
        ...json,
        assets: { media: { url: `${server.origin}/beach.jpg` }, logo: { url: "https://10.0.0.1/" } },
      };
      const inside = await send(service, "POST", "/api/v1/jobs", {
        key: rich.key,
        json: gone,
        idempotencyKey: newKey(),
      });
      expect([inside.status, inside.body.error.code]).toEqual([422, "ADDRESS_REFUSED"]);
    });

    it("API §4.47 deleting an asset ends its import", async () => {
      const accepted = await post({ slotId: "media", url: `${server.origin}/beach.jpg` });
      const path = `/api/v1/assets/${accepted.body.data.assetId}`;
      expect((await send(service, "DELETE", path, { key: rich.key })).status).toBe(200);
      expect((await read(accepted.body.data.assetId)).status).toBe(404);
    });
  });
};
