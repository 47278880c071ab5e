import type { CreativePacks } from "../../sdk/src/index.ts";
import { atMost, type BenchCase, type Row, type Target } from "../bench-case.ts";
import { cpuMsOf } from "../clock/process-figures.ts";
import { type Sample, timed } from "../clock/sample.ts";
import { median } from "../clock/statistics.ts";
import { openClient } from "../workerd/open-client.ts";
import { startService, until } from "../workerd/service.ts";
import { uploadAsset } from "../workerd/upload.ts";
import { readLogo } from "./design.ts";

/** Jobs at once, and how often each is repeated: single jobs are quick and uneven. */
const LOADS = [
  { jobs: 1, rounds: 15 },
  { jobs: 10, rounds: 7 },
  { jobs: 100, rounds: 5 },
] as const;
const SIZE_IDS = ["iab-320x50"];
const LINEAR_MAX = 1.1;
/** Each look takes the process a moment from drawing. */
const POLL_MS = 10;

interface Counted {
  readonly open: number;
}

/** Queues the jobs, then waits until none is open. */
async function drain(client: CreativePacks, db: D1Database, logo: string, jobs: number): Promise<void> {
  const request = { contractId: "display.v1", selectedSizeIds: SIZE_IDS, assetIds: { logo } };
  await Promise.all(Array.from({ length: jobs }, () => client.jobs.create(request)));
  const openJobs = db.prepare("SELECT COUNT(*) AS open FROM jobs WHERE status IN ('queued', 'running')");
  await until(
    async () => ((await openJobs.first<Counted>())?.open === 0 ? true : null),
    "The queue",
    POLL_MS,
  );
}

export const drainCase: BenchCase = {
  id: "drain",
  title: "Jobs of one size queued at once, until all are drawn",
  run: async ({ progress }) => {
    const service = await startService();
    try {
      const client = openClient(service.worker.origin, (await service.openWorkspace(1_000_000)).secret);
      const logo = await uploadAsset(client, "logo", await readLogo());
      progress("warming up");
      await drain(client, service.db, logo, 10);
      const cpuMs = () => cpuMsOf(service.worker.pid);
      const medians: { jobs: number; ms: number; cpu: number }[] = [];
      for (const { jobs, rounds } of LOADS) {
        progress(`${jobs} at once, ${rounds} times`);
        const taken: Sample[] = [];
        for (let round = 0; round < rounds; round += 1) {
          taken.push(await timed(cpuMs, () => drain(client, service.db, logo, jobs)));
        }
        medians.push({
          jobs,
          ms: median(taken.map(({ wallMs }) => wallMs)),
          cpu: median(taken.map((sample) => sample.cpuMs)),
        });
      }
      const [one] = medians;
      const single = one?.ms ?? Number.NaN;
      const rows: Row[] = medians.map(({ jobs, ms, cpu }) => ({
        label: `${jobs} at once`,
        figures: { ms, "ms a job": ms / jobs, "CPU ms a job": cpu / jobs, "of linear": ms / (jobs * single) },
      }));
      const targets: Target[] = medians
        .slice(1)
        .map(({ jobs, ms }) =>
          atMost(`${jobs} jobs at once, of ${jobs} times one`, ms / (jobs * single), LINEAR_MAX),
        );
      return {
        rows,
        targets,
        absences: [],
        notes: ["Less than linear is better: what jobs share is done once."],
      };
    } finally {
      await service.stop();
    }
  },
};
