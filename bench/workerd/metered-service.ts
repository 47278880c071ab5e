import { z } from "zod";
import { inRoot } from "../../scripts/local/paths.ts";
import { type Service, startService } from "./service.ts";

/** The whole service, which tells how many rows each of its databases was written, and when outputs were drawn. */
export interface MeteredService extends Service {
  /** In ms of `Date.now()`, in order. Asks nothing of the service. */
  readonly drawnAt: readonly number[];
  readonly rowsWritten: () => Promise<Readonly<Record<string, number>>>;
}

const answer = z.record(z.string(), z.number());

/** `stateFolder`: where its storage is kept while it runs; null for the usual place. */
export async function startMeteredService(
  shards: number,
  stateFolder: string | null = null,
): Promise<MeteredService> {
  const drawnAt: number[] = [];
  const service = await startService({
    shards,
    stateFolder,
    script: inRoot("bench/workers/metered.ts"),
    onLog: (line) => {
      if (line.includes('"event":"output_drawn"')) drawnAt.push(Date.now());
    },
  });
  return {
    ...service,
    drawnAt,
    rowsWritten: async () =>
      answer.parse(await (await fetch(`${service.worker.origin}/bench/written`)).json()),
  };
}
