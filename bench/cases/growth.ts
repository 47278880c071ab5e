import type { CreativePacks } from "../../sdk/src/index.ts";
import { atMost, type BenchCase, type Row, type Target } from "../bench-case.ts";
import { median } from "../clock/statistics.ts";
import { openClient } from "../workerd/open-client.ts";
import { seedWorkspace } from "../workerd/seed-workspace.ts";
import { startService, type Workspace } from "../workerd/service.ts";

const SCALES = [0, 10, 10_000, 1_000_000] as const;
/** Of every size there is the same page to read. */
const PAGE = 10;
const ROUNDS = 120;
const FLAT_MAX = 1.3;

type Read = (client: CreativePacks) => PromiseLike<unknown>;

const READS: Readonly<Record<string, Read>> = {
  balance: ({ balance }) => balance.get(),
  usage: ({ usage }) => usage.list({ limit: PAGE }).firstPage(),
  assets: ({ assets }) => assets.list({ limit: PAGE }).firstPage(),
  "assets of a slot": ({ assets }) => assets.list({ limit: PAGE, slotId: "media" }).firstPage(),
  jobs: ({ jobs }) => jobs.list({ limit: PAGE }).firstPage(),
  "jobs of a status": ({ jobs }) => jobs.list({ limit: PAGE, status: "succeeded" }).firstPage(),
};

/** Milliseconds of a read for each client, taken in turn. */
async function timeRead(clients: readonly CreativePacks[], read: Read): Promise<number[]> {
  const taken: number[][] = clients.map(() => []);
  for (let round = -10; round < ROUNDS; round += 1) {
    for (const [at, client] of clients.entries()) {
      const startedMs = performance.now();
      await read(client);
      if (round >= 0) taken[at]?.push(performance.now() - startedMs);
    }
  }
  return taken.map(median);
}

export const growthCase: BenchCase = {
  id: "growth",
  title: "Reads of workspaces with more and more ledger events, assets and jobs",
  run: async ({ progress }) => {
    const service = await startService({ isDrawing: false });
    try {
      const workspaces: Workspace[] = [];
      for (const rows of SCALES) {
        progress(`a workspace with ${rows.toLocaleString("en")} of each`);
        const workspace = await service.openWorkspace(rows + 1);
        await seedWorkspace(service.db, workspace.workspaceId, rows);
        workspaces.push(workspace);
      }
      const clients = workspaces.map(({ secret }) => openClient(service.worker.origin, secret));
      const rows: Row[] = [];
      const targets: Target[] = [];
      for (const [name, read] of Object.entries(READS)) {
        progress(name);
        const [empty = Number.NaN, ...grown] = await timeRead(clients, read);
        const [ten = Number.NaN] = grown;
        const largest = grown.at(-1) ?? Number.NaN;
        rows.push({
          label: name,
          figures: {
            "empty ms": empty,
            ...Object.fromEntries(grown.map((ms, at) => [`${SCALES[at + 1]?.toLocaleString("en")} ms`, ms])),
            "largest / empty": largest / empty,
            "largest / ten": largest / ten,
          },
        });
        targets.push(
          atMost(`${name}, in times of the empty workspace`, Math.max(...grown) / empty, FLAT_MAX),
        );
      }
      return {
        rows,
        targets,
        absences: [],
        notes: [
          `All are in one database. Lists are pages of ${PAGE}; of the empty workspace they are empty.`,
        ],
      };
    } finally {
      await service.stop();
    }
  },
};
