import { describe, expect, it } from "vitest";
import { send } from "../support/client.ts";
import type { Service } from "../support/service.ts";

/** Every page of the documentation has the security headers, and is also available as text. */

/** One short page of each kind, because axe-core checks every word. */
export const KINDS = ["/docs", "/docs/guides/webhooks", "/docs/reference", "/docs/reference/previews"];
export const LONG = [
  "/docs/guides/sizes",
  "/docs/guides/errors",
  "/docs/guides/api",
  "/docs/guides/paying",
  "/docs/guides/sdk",
  "/docs/guides/changelog",
  "/docs/reference/account",
];

interface Place {
  readonly service: Service;
}

/** Registers the tests; `placeOf` is available once they run. */
export function describeDocsTexts(placeOf: () => Place): void {
  describe("the documentation", () => {
    it("API §4.8 has the security headers, runs nothing inline, and is served to programs as text", async () => {
      const { service } = placeOf();
      for (const path of [...KINDS, ...LONG, "/docs/try", "/llms.txt"]) {
        const { status, headers, bytes } = await send(service, "GET", path);
        expect(status, path).toBe(200);
        const policy = headers.get("Content-Security-Policy") ?? "";
        expect(policy, path).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/);
        expect(policy.includes("unsafe"), path).toBe(path === "/docs/try");
        expect(headers.get("X-Content-Type-Options"), path).toBe("nosniff");
        expect(headers.get("Referrer-Policy"), path).toBe("no-referrer");
        expect(headers.get("Strict-Transport-Security"), path).toBe("max-age=31536000; includeSubDomains");
        expect(new TextDecoder().decode(bytes), path).not.toMatch(/<script>|\son\w+=|\sstyle="|src="https?:/);
      }
    });

    it("gives language models an index of existing Markdown pages", async () => {
      const { service } = placeOf();
      const index = new TextDecoder().decode((await send(service, "GET", "/llms.txt")).bytes);
      expect(index).toMatch(/^# Creative Packs\n\n> /);
      const links = [...index.matchAll(/\]\((\/[^){]+)\)/g)].map(([, path = ""]) => path);
      expect(links.length).toBeGreaterThan(10);
      for (const path of links) {
        const { status, headers } = await send(service, "GET", path);
        expect([path, status]).toEqual([path, 200]);
        if (path.endsWith(".md")) expect(headers.get("Content-Type")).toMatch(/^text\/markdown/);
      }
    });
  });
}
