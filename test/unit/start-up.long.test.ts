import { build } from "esbuild";
import { expect, it } from "vitest";
import { inRoot } from "../../scripts/local/paths.ts";

/**
 * Guarantee: an isolate starts without what its first request may not need. Each of these takes milliseconds of CPU to
 * run, and isolates of objects and of polls would never use it.
 */

/** What may not be run at start: folders and files of src/, and packages. */
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
/** Of those, what the first request needs whatever it is; all of it is small. */
const AT_START = [
  "src/interface/mcp/endpoint.ts",
  "src/interface/openapi/documentation.ts",
  "src/renderer/crc32.ts",
  "src/renderer/version.ts",
  "src/interface/routes/index.ts",
];

/** The files whose code runs when the worker starts: the entry's and those of the chunks that it imports at once. */
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
    // What Node.js has of its own, as stripe and others import it.
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

it("starts without routes, renderer, queues, agents and the libraries that few requests use", async () => {
  const files = await filesAtStart();
  expect(files).toContain("src/worker.ts");
  expect(files).toContain("src/interface/http/answer-by-group.ts");
  const early = files.filter(
    (file) => LATER.some((start) => file.startsWith(start)) && !AT_START.includes(file),
  );
  expect(early).toEqual([]);
});
