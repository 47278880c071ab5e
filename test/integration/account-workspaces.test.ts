import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/contract/limits.ts";
import { SCOPES } from "../../src/contract/scopes.ts";
import { readCapabilities } from "../../src/platform/capabilities.ts";
import { newId } from "../../src/platform/ids.ts";
import { runSweeps } from "../../src/queue/sweeps.ts";
import { addMember, callAs, createAccount } from "../support/accounts.ts";
import { type ReadyPack, readyPack } from "../support/artifacts.ts";
import type { SeededAccount } from "../support/seed-account.ts";
import { call } from "../support/workspace.ts";

/** Guarantee: from a session a person has workspaces, gets their first keys, and sees what happened in them. */

let owner: SeededAccount;
let base: string;

beforeAll(async () => {
  owner = await createAccount();
  base = `/api/account/workspaces/${owner.workspaceId}`;
});

const create = (account: SeededAccount, name: string, key: string = newId()) =>
  callAs(account, "POST", "/api/account/workspaces", { body: { name }, headers: { "Idempotency-Key": key } });

describe("workspaces", () => {
  it("a new one is the account's own, without credits, and is made once for an Idempotency-Key", async () => {
    const account = await createAccount();
    const key = newId();
    const first = await create(account, "Spring", key);
    expect([first.status, first.body.data]).toEqual([
      201,
      { workspaceId: expect.any(String), name: "Spring", role: "owner", createdAt: expect.any(String) },
    ]);
    const again = await create(account, "Spring", key);
    expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([200, "true"]);
    expect(again.body.data).toEqual(first.body.data);
    expect((await create(account, "Autumn", key)).status).toBe(409);
    const listed = await callAs(account, "GET", "/api/account/workspaces");
    expect(listed.body.data.items.map(({ name }: { name: string }) => name)).toEqual([
      "Spring",
      "My workspace",
    ]);
    const balance = await callAs(
      account,
      "GET",
      `/api/account/workspaces/${first.body.data.workspaceId}/balance`,
    );
    expect(balance.body.data.credits.available).toBe(0);
  });

  it("without an Idempotency-Key it is 400, and nothing is made", async () => {
    const account = await createAccount();
    const answer = await callAs(account, "POST", "/api/account/workspaces", { body: { name: "Spring" } });
    expect([answer.status, answer.body.error.code]).toEqual([400, "IDEMPOTENCY_KEY_REQUIRED"]);
    expect((await callAs(account, "GET", "/api/account/workspaces")).body.data.items.length).toBe(1);
  });

  it("an account owns no more than the limit, also by requests at once", async () => {
    const account = await createAccount();
    const wanted = LIMITS.workspacesPerAccountMax + 3;
    const answers = await Promise.all(
      Array.from({ length: wanted }, (_, at) => create(account, `No. ${at}`)),
    );
    const made = answers.filter(({ status }) => status === 201).length;
    const refused = answers.filter(({ status }) => status === 409);
    expect([made, refused.length]).toEqual([LIMITS.workspacesPerAccountMax - 1, 4]);
    expect(refused[0]?.body.error.code).toBe("WORKSPACE_LIMIT_REACHED");
    const listed = await callAs(account, "GET", "/api/account/workspaces");
    expect(listed.body.data.items.length).toBe(LIMITS.workspacesPerAccountMax);
  });
});

describe("keys", () => {
  it("the first key comes without credits, with any scopes, works, and shows its secret once", async () => {
    const created = await callAs(owner, "POST", `${base}/api-keys`, {
      body: { name: "Build server", scopes: [...SCOPES] },
    });
    expect(created.status).toBe(201);
    const { secret, ...record } = created.body.data;
    expect(record).toMatchObject({ name: "Build server", scopes: [...SCOPES], status: "active" });
    const balance = await call("GET", "/api/v1/balance", { secret });
    expect([balance.status, balance.body.data.credits.available]).toEqual([200, 0]);
    const listed = await callAs(owner, "GET", `${base}/api-keys`);
    expect(listed.body.data.items.map(({ apiKeyId }: { apiKeyId: string }) => apiKeyId)).toContain(
      record.apiKeyId,
    );
    expect(JSON.stringify(listed.body)).not.toContain(secret);

    const path = `${base}/api-keys/${record.apiKeyId}/revoke`;
    const revoked = await callAs(owner, "POST", path);
    expect([revoked.status, revoked.body.data.status]).toEqual([200, "revoked"]);
    expect((await callAs(owner, "POST", path)).body.data).toEqual(revoked.body.data);
    expect((await call("POST", "/api/v1/jobs", { secret, body: {} })).status).toBe(401);
  });

  it("a past expiry is 400, and a workspace has no more live keys than the limit", async () => {
    const account = await createAccount();
    const path = `/api/account/workspaces/${account.workspaceId}/api-keys`;
    const body = { name: "x", scopes: ["balance:read"] };
    const past = await callAs(account, "POST", path, {
      body: { ...body, expiresAt: "2020-01-01T00:00:00Z" },
    });
    expect(past.status).toBe(400);
    const row = `('?', '${account.workspaceId}', 'x', 'cpk_live_', 'hash-?', '[]', 1)`;
    const rows = Array.from({ length: LIMITS.activeKeysPerWorkspaceMax - 1 }, () =>
      row.replaceAll("?", newId()),
    );
    await env.DB.prepare(
      `INSERT INTO api_keys (api_key_id, workspace_id, name, prefix, secret_hash, scopes, created_at)
       VALUES ${rows.join(", ")}`,
    ).run();
    expect((await callAs(account, "POST", path, { body })).status).toBe(201);
    expect((await callAs(account, "POST", path, { body })).status).toBe(409);
  });
});

describe("what happened", () => {
  let pack: ReadyPack;
  beforeAll(async () => {
    pack = await readyPack();
    await addMember(pack.client.workspaceId, owner.accountId, "owner");
  });

  it("jobs, artifacts and usage are those that the workspace's key sees", async () => {
    const { secret, workspaceId } = pack.client;
    const own = `/api/account/workspaces/${workspaceId}`;
    for (const noun of ["jobs", "usage", "balance", "api-keys"]) {
      const [bySession, byKey] = [
        await callAs(owner, "GET", `${own}/${noun}`),
        await call("GET", `/api/v1/${noun}`, { secret }),
      ];
      const untimed = (body: unknown) => JSON.stringify(body).replace(/"lastUsedAt":[^,]+/g, "");
      expect(untimed(bySession.body.data), noun).toBe(untimed(byKey.body.data));
    }
    const { body } = await callAs(owner, "GET", `${own}/artifacts`);
    const { manifest, files, jobId, pack: what } = pack.manifest;
    expect(body.data).toEqual({
      items: [
        {
          artifactId: pack.artifactId,
          jobId,
          status: "ready",
          contractId: what.contractId,
          motion: what.motion,
          outputFormat: what.outputFormat,
          fileCount: files.length,
          totalBytes: manifest.totalBytes,
          createdAt: manifest.createdAt,
          expiresAt: manifest.expiresAt,
        },
      ],
      nextBefore: null,
    });
  });

  it("artifacts come page by page, newest job first, none twice and none left out", async () => {
    const account = await createAccount();
    const { workspaceId } = account;
    for (let at = 1; at <= 5; at += 1) await storeArtifact(workspaceId, at * 1_000);
    const path = `/api/account/workspaces/${workspaceId}/artifacts?limit=2`;
    const seen: string[] = [];
    let before: string | null = null;
    do {
      const cursor: string = before === null ? "" : `&before=${encodeURIComponent(before)}`;
      const { data } = (await callAs(account, "GET", path + cursor)).body;
      seen.push(...data.items.map(({ createdAt }: { createdAt: string }) => createdAt));
      before = data.nextBefore;
    } while (before !== null);
    expect(seen).toEqual([5, 4, 3, 2, 1].map((at) => new Date(at * 1_000 + 1).toISOString()));
    const bad = await callAs(account, "GET", `${path}&before=yesterday`);
    expect([bad.status, bad.body.error.code]).toEqual([400, "INVALID_CURSOR"]);
  });
});

/** An artifact that has expired, with its job, as a store of long ago would hold them. */
async function storeArtifact(workspaceId: string, createdAt: number): Promise<void> {
  const [jobId, artifactId] = [newId(), newId()];
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO jobs (job_id, workspace_id, status, contract_id, motion, output_format, selected_size_ids, asset_ids,
         copy, brand, render_inputs, cost_credits, render_fingerprint, artifact_id, created_at)
       VALUES (?1, ?2, 'succeeded', 'display.v1', 'static', 'png', '[]', '{}', '{}', '{}', '{}', 0, '', ?3, ?4)`,
    ).bind(jobId, workspaceId, artifactId, createdAt),
    env.DB.prepare(
      `INSERT INTO artifacts
         (artifact_id, job_id, workspace_id, status, engine_version, total_bytes, created_at, expires_at, purged_at)
       VALUES (?1, ?2, ?3, 'expired', '1', 0, ?4, ?4, ?4)`,
    ).bind(artifactId, jobId, workspaceId, createdAt + 1),
  ]);
}

it("the sweep forgets sessions and invitations that have ended, and no others", async () => {
  const [ended, open] = [await createAccount(Date.now() - 1_000), await createAccount()];
  const invite = `/api/account/workspaces/${open.workspaceId}/invitations`;
  const [old, young] = [
    (await callAs(open, "POST", invite)).body.data.invitationId,
    (await callAs(open, "POST", invite)).body.data.invitationId,
  ];
  await env.DB.prepare("UPDATE workspace_invitations SET expires_at = 1 WHERE invitation_id = ?1")
    .bind(old)
    .run();
  await runSweeps(readCapabilities(env), Date.now());
  const kept = async (sql: string, ids: readonly string[]) =>
    (await env.DB.prepare(sql).bind(JSON.stringify(ids)).all<{ id: string }>()).results.map(({ id }) => id);
  const sessions =
    "SELECT session_id AS id FROM account_sessions WHERE session_id IN (SELECT value FROM json_each(?1))";
  const invitations =
    "SELECT invitation_id AS id FROM workspace_invitations WHERE invitation_id IN (SELECT value FROM json_each(?1))";
  expect(await kept(sessions, [ended.sessionId, open.sessionId])).toEqual([open.sessionId]);
  expect(await kept(invitations, [old, young])).toEqual([young]);
});
