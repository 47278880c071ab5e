import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startLocalWorker } from "../../scripts/local/worker.ts";

/** A worker that fails to start reports why, with its last output. */

it("a worker without its source fails with the name of the source", async () => {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-start-"));
  const starting = startLocalWorker({
    stateFolder: folder,
    logPath: join(folder, "log"),
    port: 0,
    script: "scripts/nothing.ts",
  });
  await expect(starting).rejects.toThrow(
    /^The worker did not start: wrangler ended with 1\..+"scripts\/nothing\.ts"/s,
  );
  await rm(folder, { recursive: true });
});
