import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";

const description = JSON.parse(readFileSync("schema/openapi.json", "utf8"));

interface Viewer {
  readonly requestInterceptor: (request: { headers: Record<string, string> }) => {
    headers: Record<string, string>;
  };
}

/** What the page's script gives the viewer; the page and the viewer themselves are not here. */
function openPage(): Promise<Viewer> {
  return new Promise((resolve) => {
    runInNewContext(readFileSync("scripts/docs/start.js", "utf8"), {
      crypto,
      document: { querySelector: () => ({ addEventListener: () => undefined }) },
      fetch: async () => ({ json: async () => description }),
      window: {
        SwaggerUIBundle: Object.assign((viewer: Viewer) => resolve(viewer), { presets: { apis: [] } }),
      },
    });
  });
}

const { parameters } = description.paths["/api/v1/jobs"].post;
const prefilled = parameters.find(({ name }: { name: string }) => name === "Idempotency-Key").example;

describe("what is tried on the page of the API reference", () => {
  it("has a key of its own each time, as the form begins with the same one for all", async () => {
    const { requestInterceptor } = await openPage();
    const keys = [1, 2, 3].map(
      () => requestInterceptor({ headers: { "Idempotency-Key": prefilled } }).headers["Idempotency-Key"],
    );
    expect(new Set([...keys, prefilled]).size).toBe(4);
  });

  it("keeps a key that a person wrote, so that a replay can be tried", async () => {
    const { requestInterceptor } = await openPage();
    const sent = requestInterceptor({ headers: { "Idempotency-Key": "mine" } });
    expect(sent.headers["Idempotency-Key"]).toBe("mine");
  });
});
