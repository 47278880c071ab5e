import { readFile } from "node:fs/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CreatePack } from "../../sdk/src/index.ts";
import { EXCEPTIONS } from "./mcp-exceptions.ts";
import { seedWorkspace } from "./support/arrange.ts";
import { finishJob, newKey, uploadLogo } from "./support/flow.ts";
import { runSuite, startKeyProxy } from "./support/mcp-suite.ts";
import { type Service, startService } from "./support/service.ts";

/**
 * The built worker with the Model Context Protocol's own conformance suite, and with a real client that makes a pack.
 */

let service: Service;

beforeAll(async () => {
  // `local` as on a developer's machine, where only local host names are accepted. The higher rate limit is for the
  // suite's many requests.
  service = await startService({ vars: { ENVIRONMENT: "local", RATE_LIMIT_READ: "100000" } });
  await drawBeforeAnyAgent();
});

/** Loading the image codecs first must not break loading of the agents' code. */
async function drawBeforeAnyAgent(): Promise<void> {
  const { key } = await seedWorkspace(service, { credits: 1 });
  const assetIds = { logo: await uploadLogo(service, key) };
  const order = { contractId: "display.v1", selectedSizeIds: ["iab-320x50"], assetIds };
  const request: CreatePack = { ...order, outputFormat: "webp" };
  await finishJob(service, key, request);
}

afterAll(() => service.stop());

// Scenarios mostly wait, so both versions run in parallel.

describe.concurrent("API §17.1 the protocol's conformance suite", () => {
  it.each(Object.entries(EXCEPTIONS))(
    "%s: every scenario passes, or is listed with its reason",
    async (version, listed) => {
      const { key } = await seedWorkspace(service, {});
      const proxy = await startKeyProxy(service.origin, key);
      const results = await runSuite(proxy.url, version).finally(proxy.stop);
      expect(results.length).toBeGreaterThan(30);
      const unexpected = results.flatMap(({ scenario, failed }) => {
        const exception = listed[scenario];
        if (exception === undefined) return failed.map((check) => `${scenario}: ${check} fails`);
        if (failed.length === 0) return [`${scenario} passes and is listed`];
        const others = failed.filter((check) => exception.checks?.includes(check) === false);
        return others.map((check) => `${scenario}: ${check} fails, and the exception is for others`);
      });
      expect(unexpected).toEqual([]);
      const ran = results.map(({ scenario }) => scenario);
      expect(Object.keys(listed).filter((scenario) => !ran.includes(scenario))).toEqual([]);
    },
  );
});

describe("a client of the protocol", () => {
  const MODES = [
    ["2025-11-25", "legacy"],
    ["2026-07-28", { pin: "2026-07-28" }],
  ] as const;

  const PACK = { contractId: "display.v1", selectedSizeIds: ["iab-320x50", "iab-300x250"] };

  async function connect(key: string, mode: (typeof MODES)[number][1]) {
    const client = new Client({ name: "tests", version: "1.0.0" }, { versionNegotiation: { mode } });
    const headers = { Authorization: `Bearer ${key}` };
    const address = new URL("/mcp", service.origin);
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
    return client;
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers are asserted member by member; the client holds them against their schema.
  const outputOf = (result: { structuredContent?: unknown; isError?: unknown }): any => {
    expect(result.isError, JSON.stringify(result)).not.toBe(true);
    return result.structuredContent;
  };

  it.each(MODES)("API §17.6 %s makes a pack from file to download, charged once", async (version, mode) => {
    const { key } = await seedWorkspace(service, { credits: 10 });
    const client = await connect(key, mode);
    const call = async (name: string, input: Record<string, unknown> = {}) =>
      outputOf(await client.callTool({ name, arguments: input }));
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    // The client compiles the listed schemas, and validates each answer.
    expect((await client.listTools()).tools).toHaveLength(12);
    const guidance = await client.readResource({ uri: "creative-packs://contracts/display.v1/guidance" });
    expect(JSON.stringify(guidance.contents)).toContain("iab-300x250");

    const { items } = await call("list_contracts");
    expect(items.map(({ contractId }: { contractId: string }) => contractId)).toContain(PACK.contractId);
    const base64 = await readFile("samples/logo.svg", "base64");
    const { assetId } = await call("import_asset", { slotId: "logo", fileName: "logo.svg", base64 });
    const order = {
      ...PACK,
      assetIds: { logo: assetId },
      copy: { headline: "Soft as the first warm day" },
    };
    const preview = await client.callTool({ name: "preview_pack", arguments: order });
    expect(outputOf(preview).layout.elements.length).toBeGreaterThan(0);
    expect(preview.content).toContainEqual(expect.objectContaining({ type: "image", mimeType: "image/png" }));

    const paid = { ...order, idempotencyKey: newKey() };
    const first = await call("create_pack", paid);
    const again = await call("create_pack", paid);
    expect([first.charged.amount, again.charged.amount, again.left.credits.available]).toEqual([2, 0, 8]);
    expect([first.isReplay, again.isReplay]).toEqual([false, true]);
    const { jobId } = first.pack;
    expect(again.pack.jobId).toBe(jobId);
    await expect
      .poll(async () => (await call("get_pack", { jobId })).pack.status, { timeout: 60_000 })
      .toBe("succeeded");
    const { files } = await call("get_pack", { jobId });
    expect(files.items).toHaveLength(2);
    for (const { url, byteLength } of [...files.items, files.zip]) {
      const sent = await fetch(url);
      expect([sent.status, (await sent.arrayBuffer()).byteLength]).toEqual([200, byteLength]);
    }
    const ended = await call("cancel_pack", { jobId });
    expect([ended.pack.status, ended.left.credits.available]).toEqual(["succeeded", 8]);
    await client.close();
  });

  it("API §17.2 a connection requires a live key", async () => {
    for (const [, mode] of MODES) await expect(connect("cpk_live_no", mode)).rejects.toThrow();
  });

  it("API §17.5 a file of 30 MB is refused, and the connection survives", async () => {
    const { key } = await seedWorkspace(service, {});
    const client = await connect(key, "legacy");
    const input = { slotId: "media", fileName: "large.png", base64: "A".repeat(40_000_000) };
    await expect(client.callTool({ name: "import_asset", arguments: input })).rejects.toThrow(/1463640|413/);
    expect(outputOf(await client.callTool({ name: "list_assets", arguments: {} })).items).toEqual([]);
    await client.close();
  });
});
