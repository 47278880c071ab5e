import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { migrateLocal } from "../../scripts/local/migrate.ts";
import { newToken, recordService } from "../../scripts/local/operated-service.ts";
import { OPERATED_PATH, OPERATOR_TOKEN } from "../../scripts/local/operation.ts";
import { startLocalWorker } from "../../scripts/local/worker.ts";
import { createLocalWorkspace } from "../../scripts/local/workspace.ts";

/** `npm run workspace` beside `npm run dev` makes no request of the service fail. */

const AT_ONCE = 3;
const ROUNDS = 3;

it("write requests succeed while operator commands write", async () => {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-beside-"));
  await migrateLocal(folder);
  const token = newToken();
  const worker = await startLocalWorker({
    stateFolder: folder,
    logPath: join(folder, "log"),
    port: 0,
    script: "scripts/local/dev-worker.ts",
    vars: { [OPERATOR_TOKEN]: token, RATE_LIMIT_WRITE: "1000000" },
  });
  const forget = await recordService(folder, { origin: worker.origin, token });
  try {
    const { secret } = await createLocalWorkspace(folder, "Beside", 10);
    let isCreating = true;
    const statuses = new Map<number, number>();
    const write = async () => {
      while (isCreating) {
        const { status } = await fetch(`${worker.origin}/api/v1/assets/uploads`, {
          method: "POST",
          headers: {
            Authorization: `Bearer ${secret}`,
            "Content-Type": "application/json",
            "Idempotency-Key": crypto.randomUUID(),
          },
          body: JSON.stringify({
            slotId: "logo",
            fileName: "a.svg",
            mimeType: "image/svg+xml",
            byteLength: 9,
          }),
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const writers = [write(), write()];
    for (let round = 0; round < ROUNDS; round += 1) {
      const made = Array.from({ length: AT_ONCE }, () => createLocalWorkspace(folder, "Another", 1));
      await Promise.all(made);
    }
    isCreating = false;
    await Promise.all(writers);
    expect(Object.fromEntries(statuses)).toEqual({ 201: expect.any(Number) });
    const refused = await fetch(`${worker.origin}${OPERATED_PATH}`, { method: "POST", body: "{}" });
    expect(refused.status).toBe(403);
  } finally {
    await forget();
    await worker.stop();
    await rm(folder, { recursive: true, force: true });
  }
}, 300_000);
