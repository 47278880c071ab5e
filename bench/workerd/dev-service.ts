import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WINDOW_NAMES, windowVariable } from "#api/limits.ts";
import { migrateEmpty } from "../../scripts/local/migrate.ts";
import { startLocalWorker } from "../../scripts/local/worker.ts";
import { makeAssets } from "../../scripts/make/assets.ts";
import { openDatabase } from "../../scripts/operate/workspace/open-database.ts";

/** The service as run by `npm run dev`, including wrangler and its proxy, but with its own state. */
export interface DevService {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

const UNLIMITED = "100000000";

export async function startDevService(): Promise<DevService> {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-bench-"));
  const stateFolder = join(folder, "state");
  await makeAssets();
  const database = await openDatabase({
    configPath: "wrangler.toml",
    stateFolder,
    isRemote: false,
    envFile: null,
  });
  await migrateEmpty(database.db).finally(database.close);
  const worker = await startLocalWorker({
    stateFolder,
    logPath: join(folder, "worker.log"),
    port: 0,
    vars: Object.fromEntries(WINDOW_NAMES.map((name) => [windowVariable(name), UNLIMITED])),
  });
  return {
    origin: worker.origin,
    stop: async () => {
      await worker.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
