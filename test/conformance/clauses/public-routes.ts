import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import type { MainHarness } from "../support/harness.ts";

export const publicRoutes = (harness: MainHarness): void => {
  const { service } = harness;
  describe("API §2.18 catalogue", () => {
    it("API §2.18, §4.41 GET /contracts 200 and GET /contracts/{contractId} 200: public, cacheable, every rule with its source", async () => {
      const list = await send(service, "GET", "/api/v1/contracts");
      expect(list.status).toBe(200);
      expect(list.headers.get("Cache-Control")).toMatch(/public/);
      expect(list.body.data.items.length).toBeGreaterThan(2);
      for (const { contractId } of list.body.data.items) {
        const one = await send(service, "GET", `/api/v1/contracts/${contractId}`);
        expect(one.status).toBe(200);
        const etag = one.headers.get("ETag") ?? "";
        const again = await send(service, "GET", `/api/v1/contracts/${contractId}`, {
          headers: { "If-None-Match": etag },
        });
        expect([again.status, again.bytes.byteLength]).toEqual([304, 0]);
        const { sizes, sources, prices } = one.body.data;
        expect(prices).toEqual({ static: 1, animated: 3 });
        const known = new Set(sources.map((source: { sourceId: string }) => source.sourceId));
        for (const size of sizes) {
          const { durationSourceId, framesPerSecondSourceId, loopsSourceId } = size.animation;
          for (const sourceId of [
            ...size.sourceIds,
            durationSourceId,
            framesPerSecondSourceId,
            loopsSourceId,
          ])
            expect(known).toContain(sourceId);
          if (size.byteCap !== null) expect(known).toContain(size.byteCapSourceId);
          if (size.safeArea !== null) expect(known).toContain(size.safeAreaSourceId);
        }
      }
    });

    it("API §4.41 GET /contracts/{contractId} 404: an unknown contract", async () => {
      const answer = await send(service, "GET", "/api/v1/contracts/nothing.v1");
      expect([answer.status, answer.body.error.code]).toEqual([404, "CONTRACT_NOT_FOUND"]);
    });
  });

  describe("service", () => {
    it("API §1.8 GET /service 200: the page's sign-in methods and preview mode, cacheable", async () => {
      const answer = await send(service, "GET", "/api/v1/service");
      expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "public, max-age=60"]);
      expect(answer.body.data).toMatchObject({
        livePreviews: "on",
        accounts: true,
        oauthProviders: ["github"],
      });
    });

    it("API §1.8 the engine of live previews is served if they are on", async () => {
      for (const path of globSync("studio/engine/{drawing-worker-*.js,resvg-*.wasm}", {
        cwd: "dist/assets",
      })) {
        // Without `send`, because the OpenAPI document lacks this route.
        const { status, headers } = await fetch(`${service.origin}/${path}`);
        expect([status, headers.get("Cache-Control")]).toEqual([200, "public, max-age=31536000, immutable"]);
        expect(headers.get("Content-Security-Policy")).toContain("wasm-unsafe-eval");
      }
    });

    it("API §1.8 GET /health 200 lists the origin's capabilities, and no secret", async () => {
      const answer = await send(service, "GET", "/health");
      expect(answer.status).toBe(200);
      expect(JSON.stringify(answer.body)).not.toContain("conformance-tests-");
    });

    it("API §4.8 GET /openapi.json 200 and GET /docs 200; the page's scripts come from this origin", async () => {
      const document = await send(service, "GET", "/openapi.json");
      expect(document.status).toBe(200);
      expect(document.body.openapi).toMatch(/^3\.1/);
      expect(document.body.info.version).toBe("2026-06-18");
      const page = await send(service, "GET", "/docs");
      expect(page.status).toBe(200);
      const html = new TextDecoder().decode(page.bytes);
      const scripts = [...html.matchAll(/<script[^>]+src="([^"]+)"/g)].map((match) => match[1] ?? "");
      expect(scripts.length).toBeGreaterThan(0);
      for (const path of scripts) {
        expect(path).toMatch(/^\//);
        expect((await send(service, "GET", path)).status).toBe(200);
      }
      expect(html).not.toMatch(/https?:\/\/(cdn|unpkg|fonts)/);
    });

    it("API §4.3 an unknown path is 404 in the error envelope, also under /docs", async () => {
      for (const path of ["/docs/none.js", "/none", "/api/v1/none"]) {
        const answer = await send(service, "GET", path);
        expect([answer.status, answer.body?.error?.code], path).toEqual([404, "ROUTE_NOT_FOUND"]);
      }
    });
  });

  it("API §9.1, §9.2 success and error envelopes have the API version 2026-06-18", async () => {
    const found = await send(service, "GET", "/api/v1/balance", { key: harness.rich.key });
    const refused = await send(service, "GET", "/api/v1/balance");
    expectRateLimitHeaders(found);
    expect([found.body.meta.apiVersion, refused.body.meta.apiVersion]).toEqual(["2026-06-18", "2026-06-18"]);
  });
};
