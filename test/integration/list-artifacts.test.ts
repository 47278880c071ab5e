import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { artifactsPage } from "#domains/artifacts/list-store.ts";
import { filePath, firstFile, readyPack } from "../support/artifacts.ts";
import { execute } from "../support/database.ts";
import { call, createWorkspace } from "../support/workspace.ts";

/** Inserts `count` expired packs in order: pack n has the headline `Pack n`, and every tenth also `Zebra`. */
async function storePacks(workspaceId: string, count: number): Promise<void> {
  await execute`WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count})
    INSERT INTO jobs (job_id, workspace_id, status, contract_id, motion, output_format, selected_size_ids, asset_ids,
      copy, brand, render_inputs, cost_credits, render_fingerprint, artifact_id, created_at, finished_at)
    SELECT ${workspaceId} || '-j' || n, ${workspaceId}, 'succeeded', iif(n % 2, 'display.v1', 'social.v1'),
      iif(n % 5, 'static', 'animated'), 'png', '["a","b"]', '{}',
      json_object('headline', 'Pack ' || n || iif(n % 10, '', ' Zebra')), '{}', '{}', 0, '', ${workspaceId} || '-a' || n, n, n
    FROM number`;
  await execute`INSERT INTO artifacts
      (artifact_id, job_id, workspace_id, status, engine_version, total_bytes, created_at, expires_at, purged_at)
    SELECT artifact_id, job_id, workspace_id, 'expired', '1', 0, 1, 1, 1 FROM jobs WHERE workspace_id = ${workspaceId}`;
}

interface Listed {
  readonly headlines: readonly (string | null)[];
  readonly nextBefore: string | null;
}

async function list(secret: string, query: string): Promise<Listed> {
  const { status, body } = await call("GET", `/api/v1/artifacts?${query}`, { secret });
  expect(status, JSON.stringify(body)).toBe(200);
  const { items, nextBefore } = body.data;
  return { headlines: items.map(({ headline }: { headline: string }) => headline), nextBefore };
}

it("API §4.52 a search finds packs by words, contract and motion, each once over all pages", async () => {
  const { workspaceId, secret } = await createWorkspace();
  await storePacks(workspaceId, 40);
  expect((await list(secret, "search=zeBRA")).headlines).toEqual(
    [40, 30, 20, 10].map((n) => `Pack ${n} Zebra`),
  );
  expect((await list(secret, "search=pack+7")).headlines).toEqual(["Pack 7"]);
  expect((await list(secret, "search=zebra&contractId=display.v1")).headlines).toEqual([]);
  expect((await list(secret, "motion=animated&limit=2")).headlines).toEqual(["Pack 40 Zebra", "Pack 35"]);
  expect((await list(secret, `search=${workspaceId}-j7`)).headlines).toEqual(["Pack 7"]);
  // Property names are not searched.
  expect((await list(secret, "search=headline")).headlines).toEqual([]);
  const seen: (string | null)[] = [];
  let before = "";
  for (let page = 0; page < 3; page += 1) {
    const { headlines, nextBefore } = await list(secret, `search=social&limit=8${before}`);
    seen.push(...headlines);
    before = `&before=${encodeURIComponent(nextBefore ?? "")}`;
    if (nextBefore === null) break;
  }
  expect(seen).toHaveLength(20);
  expect(new Set(seen).size).toBe(20);
});

it("API §4.52, §4.10 one request searches a thousand packs, and further pages find the others", async () => {
  const { workspaceId, secret } = await createWorkspace();
  await storePacks(workspaceId, 1_500);
  const first = await list(secret, "search=pack+9+zebra");
  expect(first).toEqual({ headlines: [], nextBefore: new Date(501).toISOString() });
  const missing = await list(secret, `search=pack+499&before=${first.nextBefore}`);
  expect(missing).toEqual({ headlines: ["Pack 499"], nextBefore: null });
  expect((await list(secret, "search=pack+501")).headlines).toEqual(["Pack 501"]);
});

it.each(["search=", "motion=fast", `search=${"x".repeat(101)}`, "limit=0"])(
  "API §4.52 GET /artifacts?%s is 400",
  async (query) => {
    const { secret } = await createWorkspace();
    expect((await call("GET", `/api/v1/artifacts?${query}`, { secret })).status).toBe(400);
  },
);

it("a list of packs does not read jobs without a pack, however many there are", async () => {
  const { workspaceId } = await createWorkspace();
  await storePacks(workspaceId, 2_000);
  await execute`UPDATE jobs SET status = 'failed' WHERE workspace_id = ${workspaceId} AND created_at > 10`;
  const anything = {
    contractId: null,
    motion: null,
    search: null,
    brandId: null,
    approval: null,
    beforeMs: null,
    edgeMs: null,
  };
  const page = artifactsPage.live.bind(env.DB, { ...anything, workspaceId, nowMs: 2, limit: 21 });
  const { results, meta } = await page.all();
  expect(results).toHaveLength(10);
  expect(meta.rows_read).toBeLessThan(100);
});

it("API §4.52 a pack is shown with a downloadable still as its picture, an expired pack without a picture", async () => {
  const pack = await readyPack();
  const { secret, workspaceId } = pack.client;
  const read = async () => (await call("GET", "/api/v1/artifacts", { secret })).body.data.items[0];
  const { thumbnail } = await read();
  expect(pack.manifest.files.map(({ fileId }) => fileId)).toContain(thumbnail.fileId);
  expect(thumbnail.byteLength).toBeLessThanOrEqual(firstFile(pack).byteLength);
  expect((await call("GET", filePath(pack, thumbnail.fileId), { secret })).status).toBe(200);
  await execute`UPDATE artifacts SET expires_at = 1 WHERE workspace_id = ${workspaceId}`;
  expect(await read()).toMatchObject({ status: "expired", thumbnail: null });
});

it("API §4.52 a pack's picture is its smallest post-shaped still, or else the nearest still that is large enough", async () => {
  const { secret, workspaceId } = await createWorkspace();
  await storePacks(workspaceId, 1);
  const shownOf = async (...shapes: readonly (readonly [width: number, height: number])[]) => {
    const files = shapes.map(([width, height], at) => ({
      ...{ fileId: `${width}x${height}`, width, height, contentType: "image/png", byteLength: at + 1 },
      animation: null,
    }));
    await execute`UPDATE artifacts SET status = 'ready', expires_at = 9e12, purged_at = NULL, files = ${JSON.stringify(files)}
      WHERE workspace_id = ${workspaceId}`;
    return (await call("GET", "/api/v1/artifacts", { secret })).body.data.items[0].thumbnail.fileId;
  };
  expect(await shownOf([970, 250], [1080, 1920], [1080, 1350], [1080, 1080])).toBe("1080x1350");
  expect(await shownOf([970, 250], [1080, 1080], [1080, 1350], [1080, 1920])).toBe("1080x1080");
  expect(await shownOf([180, 180], [970, 250], [300, 600])).toBe("300x600");
});
