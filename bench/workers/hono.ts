import { Hono } from "hono";
import { rememberStatement } from "../../src/idempotency/store.ts";
import { insertJobStatements } from "../../src/jobs/insert-job.ts";
import { accessStatement, consumptionStatements } from "../../src/ledger/service.ts";
import { newId } from "../../src/platform/ids.ts";

/**
 * What the database alone costs, behind nothing but a router: no key, no limit, no log, no check of what comes in or
 * goes out. `/read` is one read; `/batch` writes what an accepted job writes, in one batch.
 */
const app = new Hono<{ Bindings: { DB: D1Database } }>();

app.get("/read/:workspaceId", async (c) =>
  c.json(await accessStatement(c.env.DB, c.req.param("workspaceId")).first()),
);

app.post("/batch/:workspaceId", async (c) => {
  const { DB: db } = c.env;
  const workspaceId = c.req.param("workspaceId");
  const { selectedSizeIds, assetIds } = await c.req.json();
  const jobId = newId();
  const nowMs = Date.now();
  await db.batch([
    ...consumptionStatements(db, { workspaceId, jobId, cost: 1, payment: { source: "credits" }, nowMs }),
    ...insertJobStatements(db, {
      ...{ jobId, artifactId: newId(), workspaceId, inputs: {}, costCredits: 1, nowMs },
      renderFingerprint: jobId,
      plan: {
        ...{ contractId: "display.v1", motion: "static", outputFormat: "png" },
        ...{ selectedSizeIds, assetIds, copy: {}, brand: {} },
      },
    }),
    rememberStatement(
      db,
      {
        ...{ workspaceId, apiKeyId: null, idempotencyKey: jobId, operation: "POST /batch", nowMs },
        requestHash: jobId,
      },
      jobId,
      null,
    ),
  ]);
  return c.json({ jobId }, 202);
});

export default app;
