import { gzipSync } from "node:zlib";
import { inRoot } from "../../scripts/local/paths.ts";
import { atMost, type BenchCase } from "../bench-case.ts";
import { cpuMsOf } from "../clock/process-figures.ts";
import { median } from "../clock/statistics.ts";
import { type Bundle, bundleWorker } from "../workerd/bundle.ts";
import { serviceBundle } from "../workerd/service.ts";
import { startWorkerd } from "../workerd/workerd.ts";

/** Cloudflare's free plan allows 3 MB compressed; read strictly as 3,000,000 bytes. */
const GZIP_BYTES_MAX = 3_000_000;
const START_CPU_MS_MAX = 200;
const ROUNDS = 5;
/** A configuration without bindings, because their simulators are not part of the worker. */
const BARE_CONFIG_PATH = inRoot("bench/workers/wrangler.toml");

/** Compressed size of the upload, as wrangler reports it. */
const gzipBytes = ({ modules }: Bundle): number =>
  gzipSync(Buffer.concat(modules.map(({ contents }) => contents))).byteLength;

/** CPU time until the worker has responded once, over all threads of the process, including compilers. */
async function startCpuMs(bundle: Bundle): Promise<number> {
  const worker = await startWorkerd(bundle, BARE_CONFIG_PATH);
  try {
    await (await fetch(`${worker.origin}/api/v1/contracts`)).arrayBuffer();
    return cpuMsOf(worker.pid);
  } finally {
    await worker.stop();
  }
}

export const startUpCase: BenchCase = {
  id: "start-up",
  title: "Upload size, and CPU time until the first response",
  run: async ({ progress }) => {
    const service = await serviceBundle();
    const empty = await bundleWorker(BARE_CONFIG_PATH, inRoot("bench/workers/empty.ts"));
    const bytes = gzipBytes(service);
    progress(`${ROUNDS} starts of the worker and of an empty one, in turn`);
    const starts: { service: number; empty: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      starts.push({ empty: await startCpuMs(empty), service: await startCpuMs(service) });
    }
    const serviceMs = median(starts.map((start) => start.service));
    const emptyMs = median(starts.map((start) => start.empty));
    return {
      rows: [
        {
          label: "the worker",
          figures: {
            "gzip MB": bytes / 1e6,
            "runtime and worker ms": serviceMs,
            "runtime alone ms": emptyMs,
            "worker ms": serviceMs - emptyMs,
          },
        },
      ],
      targets: [
        atMost("upload, MB after gzip", bytes / 1e6, GZIP_BYTES_MAX / 1e6),
        atMost("start of the worker, ms of CPU", serviceMs - emptyMs, START_CPU_MS_MAX),
      ],
      absences: [],
      notes: [
        "The runtime alone is measured with an empty worker. CPU time includes the threads that compile WASM.",
      ],
    };
  },
};
