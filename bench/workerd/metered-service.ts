import { z } from "zod";
import { inRoot } from "../../scripts/local/paths.ts";
import { type Service, startService } from "./service.ts";

/** The whole service, which tells how many rows each of its databases was written. */
export interface MeteredService extends Service {
  readonly rowsWritten: () => Promise<Readonly<Record<string, number>>>;
}

const answer = z.record(z.string(), z.number());

export async function startMeteredService(shards: number): Promise<MeteredService> {
  const service = await startService({ shards, script: inRoot("bench/workers/metered.ts") });
  return {
    ...service,
    rowsWritten: async () =>
      answer.parse(await (await fetch(`${service.worker.origin}/bench/written`)).json()),
  };
}
