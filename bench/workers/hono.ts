import { DurableObject } from "cloudflare:workers";
import { type Context, Hono } from "hono";
import { LIMITS } from "#api/limits.ts";
import { rememberStatements } from "#domains/idempotency/store.ts";
import { insertJobStatement } from "#domains/jobs/create-job.ts";
import { accessByWorkspace, consumptionStatements } from "#domains/ledger/service.ts";
import { newId } from "#platform/ids.ts";

interface Bindings {
  readonly DB: D1Database;
  readonly BUCKET: R2Bucket;
  readonly COUNTER: DurableObjectNamespace<Counter>;
  readonly QUEUE: Queue;
}
type BaselineContext = Context<{ Bindings: Bindings }>;

/** A Durable Object that counts in memory. */
export class Counter extends DurableObject {
  #count = 0;

  count(): number {
    this.#count += 1;
    return this.#count;
  }
}

/**
 * The baseline: a router and the calls to the platform, without keys, limits, logs or validation. `/read` is one
 * database read; `/batch` writes the rows of an accepted job in one batch. `/read-and-count` and
 * `/batch-count-and-send` add a call of a Durable Object, the latter also a message. `/object` reads from R2.
 */
const app = new Hono<{ Bindings: Bindings }>();

const read = ({ env, req }: BaselineContext) =>
  accessByWorkspace.first(env.DB, { workspaceId: req.param("workspaceId") ?? "" });

const count = ({ env }: BaselineContext) => env.COUNTER.get(env.COUNTER.idFromName("least")).count();

async function batch({ env: { DB: db }, req }: BaselineContext): Promise<string> {
  const workspaceId = req.param("workspaceId") ?? "";
  const { selectedSizeIds, assetIds } = await req.json();
  const jobId = newId();
  const nowMs = Date.now();
  await db.batch([
    ...consumptionStatements(db, {
      workspaceId,
      jobId,
      cost: 1,
      description: "",
      payment: { source: "credits" },
      nowMs,
    }),
    insertJobStatement(db, {
      jobId,
      artifactId: newId(),
      workspaceId,
      inputs: {},
      ...{ brandId: null, name: null, versionOf: null },
      ...{ notifyDestinationId: null, imageHash: null, livemode: true },
      apiKeyId: null,
      ...{ costCredits: 1, livemode: true },
      nowMs,
      queuedMessagesMax: LIMITS.queuedMessagesMax,
      renderFingerprint: jobId,
      plan: {
        contractId: "display.v1",
        motion: "static",
        outputFormat: "png",
        network: null,
        clickUrl: null,
        selectedSizeIds,
        assetIds,
        copy: {},
        brand: {},
        brandAssetIds: {},
        buttonStyle: null,
        look: "classic",
        variant: 1,
        composition: "auto",
        scale: 1,
        placements: {},
        overrides: {},
      },
    }),
    ...rememberStatements(
      db,
      {
        workspaceId,
        apiKeyId: null,
        idempotencyKey: jobId,
        operation: "POST /batch",
        nowMs,
        requestHash: jobId,
      },
      jobId,
      null,
    ),
  ]);
  return jobId;
}

app.get("/read/:workspaceId", async (c) => c.json(await read(c)));

app.get("/read-and-count/:workspaceId", async (c) => {
  const [access] = await Promise.all([read(c), count(c)]);
  return c.json(access);
});

app.get("/object/:name", async (c) => {
  const object = await c.env.BUCKET.get(c.req.param("name"));
  return object === null ? c.notFound() : c.body(object.body, 200, { "Content-Type": "image/png" });
});

app.post("/batch/:workspaceId", async (c) => c.json({ jobId: await batch(c) }, 202));

app.post("/batch-count-and-send/:workspaceId", async (c) => {
  await count(c);
  const jobId = await batch(c);
  c.executionCtx.waitUntil(c.env.QUEUE.send({ jobId, positions: [0] }));
  return c.json({ jobId }, 202);
});

export default app;
