import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireTool, WRANGLER_ENVIRONMENT } from "../../scripts/local/tool.ts";
import { makeDocsAssets } from "../../scripts/make-docs.ts";
import { atMost, type BenchCase } from "../bench-case.ts";
import { median } from "../clock/statistics.ts";

/** Cloudflare's free plan takes 3 MB compressed; read as 3,000,000 bytes, the stricter way. */
const GZIP_BYTES_MAX = 3_000_000;
const START_CPU_MS_MAX = 200;
const ROUNDS = 5;

/** What is read of a CPU profile, as V8 writes it: times in microseconds. */
interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly functionName: string } }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Milliseconds of a profile in which something ran. */
function busyMs({ nodes, samples, timeDeltas }: Profile): number {
  const idle = new Set(
    nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id),
  );
  return samples.reduce((sum, node, at) => (idle.has(node) ? sum : sum + (timeDeltas[at] ?? 0)), 0) / 1_000;
}

/** Wrangler's own measure: it bundles the worker and profiles its start in workerd. */
async function profileStart(folder: string): Promise<number> {
  const path = join(folder, "start.cpuprofile");
  await requireTool(
    "Profiling the worker's start",
    "wrangler",
    ["check", "startup", "--outfile", path],
    WRANGLER_ENVIRONMENT,
  );
  return busyMs(JSON.parse(await readFile(path, "utf8")));
}

async function gzipBytes(folder: string): Promise<number> {
  const { output } = await requireTool(
    "Bundling the worker",
    "wrangler",
    ["deploy", "--dry-run", "--outdir", join(folder, "bundle")],
    WRANGLER_ENVIRONMENT,
  );
  const kibibytes = /gzip: ([\d.]+) KiB/.exec(output)?.[1];
  if (kibibytes === undefined) throw new Error("wrangler no longer says how large the upload is");
  return Number(kibibytes) * 1024;
}

export const startUpCase: BenchCase = {
  id: "start-up",
  title: "Size of the upload, and CPU time until the worker can take a request",
  run: async ({ progress }) => {
    const folder = await mkdtemp(join(tmpdir(), "creative-packs-start-up-"));
    try {
      await makeDocsAssets();
      progress("bundling");
      const bytes = await gzipBytes(folder);
      progress(`${ROUNDS} starts`);
      const starts: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) starts.push(await profileStart(folder));
      const startMs = median(starts);
      return {
        rows: [
          {
            label: "the worker",
            figures: {
              "gzip MB": bytes / 1e6,
              "start CPU ms": startMs,
              "slowest start ms": Math.max(...starts),
            },
          },
        ],
        aims: [
          atMost("upload, MB after gzip", bytes / 1e6, GZIP_BYTES_MAX / 1e6),
          atMost("start, ms of CPU", startMs, START_CPU_MS_MAX),
        ],
        absences: [],
        notes: [
          "The start is profiled by `wrangler check startup`: first evaluation of all modules in workerd.",
        ],
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
