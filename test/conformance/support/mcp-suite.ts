import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

/** The conformance suite of the Model Context Protocol, run by its own command. */

const SUITE = resolve("node_modules/@modelcontextprotocol/conformance/dist/index.js");

/** Timeout, longer than the suite takes on a busy machine. */
const SUITE_MS_MAX = 240_000;

/** A proxy that adds an API key, because the suite cannot send one. Passes Host and Origin on unchanged. */
export async function startKeyProxy(origin: string, key: string) {
  const { hostname, port } = new URL(origin);
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const { url: path, method } = incoming;
    const forwarded = request({ hostname, port, path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((listening) => {
    server.listen(0, "127.0.0.1", listening);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    stop: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

const checksSchema = z.array(
  z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }),
);

/** Result of one scenario: the ids of failed checks. */
export interface ScenarioResult {
  readonly scenario: string;
  readonly failed: readonly string[];
}

/** Runs every server scenario of a version of the protocol. */
export async function runSuite(url: string, version: string): Promise<readonly ScenarioResult[]> {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-mcp-"));
  try {
    const run = [SUITE, "server", "--url", url, "--requirements", version, "--output-dir", folder];
    // The suite exits with 1 if a scenario failed; the test decides which may.
    await promisify(execFile)(process.execPath, run, { timeout: SUITE_MS_MAX, maxBuffer: 64_000_000 }).catch(
      (thrown: unknown) => {
        if (!(thrown instanceof Error && "code" in thrown && thrown.code === 1)) throw thrown;
      },
    );
    const results = await readdir(folder);
    return await Promise.all(
      results.map(async (name) => {
        const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");
        const text = await readFile(join(folder, name, "checks.json"), "utf8");
        const checks = checksSchema.parse(JSON.parse(text));
        return { scenario, failed: checks.filter(({ status }) => status === "FAILURE").map(({ id }) => id) };
      }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
