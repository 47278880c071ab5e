import { build } from "esbuild";
import { expect, it } from "vitest";
import { inRoot } from "../../scripts/local/paths.ts";

/**
 * An isolate starts without code that its first request may not need. Each excluded part takes milliseconds of CPU, and
 * many isolates, such as those of Durable Objects, never use any of them.
 */

/** Code that must not run at start: folders and files of src/, and packages. */
const LATER = [
  ...[
    "src/interface/mcp/",
    "src/interface/openapi/",
    "src/interface/queue/consume.ts",
    "src/interface/queue/sweeps/run-sweeps.ts",
  ],
  ...["src/renderer/", "src/interface/routes/"],
  ...["@jsquash", "@modelcontextprotocol", "better-auth", "client-zip", "fflate", "stripe"].map(
    (name) => `node_modules/${name}/`,
  ),
];
/** Exceptions: small files that every first request needs. */
const AT_START = [
  "src/interface/mcp/endpoint.ts",
  "src/interface/openapi/documentation.ts",
  "src/renderer/crc32.ts",
  "src/renderer/version.ts",
  "src/interface/routes/index.ts",
];

/** Files whose code runs when the worker starts: those of the entry and its statically imported chunks. */
async function filesAtStart(): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: inRoot(""),
    entryPoints: { worker: "src/worker.ts" },
    outdir: "unwritten",
    write: false,
    bundle: true,
    splitting: true,
    format: "esm",
    metafile: true,
    conditions: ["workerd", "worker", "browser"],
    // Some packages, such as stripe, import Node.js built-ins.
    platform: "node",
    external: ["cloudflare:*"],
    loader: { ".wasm": "empty", ".ttf": "empty", ".weights": "empty" },
  });
  const chunks = new Set(["unwritten/worker.js"]);
  for (const chunk of chunks) {
    for (const { kind, path } of metafile.outputs[chunk]?.imports ?? []) {
      if (kind === "import-statement") chunks.add(path);
    }
  }
  return [...chunks].flatMap((chunk) =>
    Object.entries(metafile.outputs[chunk]?.inputs ?? {})
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([file]) => file),
  );
}

it("a worker starts without loading routes, renderer, queues, agents and rarely used libraries", async () => {
  const files = await filesAtStart();
  expect(files).toContain("src/worker.ts");
  expect(files).toContain("src/interface/http/answer-by-group.ts");
  const early = files.filter(
    (file) => LATER.some((start) => file.startsWith(start)) && !AT_START.includes(file),
  );
  expect(early).toEqual([]);
});
