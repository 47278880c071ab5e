import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { runSweeps } from "#interface/queue/sweeps/run-sweeps.ts";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import { newId } from "#platform/ids.ts";
import { addMember, callAs, createAccount } from "../support/accounts.ts";
import { type ReadyPack, readyPack } from "../support/artifacts.ts";
import { execute } from "../support/database.ts";
import { anyDatabase } from "../support/homes.ts";
import type { SeededAccount } from "../support/seed-account.ts";
import { call } from "../support/workspace.ts";

let owner: SeededAccount;

beforeAll(async () => {
  owner = await createAccount();
});

const create = (account: SeededAccount, name: string, key: string = newId()) =>
  callAs(account, "POST", "/api/account/workspaces", { body: { name }, headers: { "Idempotency-Key": key } });

it("an account cannot own more workspaces than the limit, even with concurrent requests", async () => {
  const account = await createAccount();
  const wanted = LIMITS.workspacesPerAccountMax + 3;
  const answers = await Promise.all(Array.from({ length: wanted }, (_, at) => create(account, `No. ${at}`)));
  const made = answers.filter(({ status }) => status === 201).length;
  const refused = answers.filter(({ status }) => status === 409);
  expect([made, refused.length]).toEqual([LIMITS.workspacesPerAccountMax - 1, 4]);
  expect(refused[0]?.body.error.code).toBe("WORKSPACE_LIMIT_REACHED");
  const listed = await callAs(account, "GET", "/api/account/workspaces");
  expect(listed.body.data.items.length).toBe(LIMITS.workspacesPerAccountMax);
});

describe("a workspace's records", () => {
  let pack: ReadyPack;
  beforeAll(async () => {
    pack = await readyPack();
    await addMember(pack.client.workspaceId, owner.accountId, "owner");
  });

  it("jobs, artifacts and usage are the same for a member as for the workspace's key", async () => {
    const { secret, workspaceId } = pack.client;
    const own = `/api/account/workspaces/${workspaceId}`;
    for (const resource of ["jobs", "usage", "balance", "api-keys", "artifacts"]) {
      const [bySession, byKey] = [
        await callAs(owner, "GET", `${own}/${resource}`),
        await call("GET", `/api/v1/${resource}`, { secret }),
      ];
      const untimed = (body: unknown) => JSON.stringify(body).replace(/"lastUsedAt":[^,]+/g, "");
      expect(untimed(bySession.body.data), resource).toBe(untimed(byKey.body.data));
    }
    const { body } = await callAs(owner, "GET", `${own}/artifacts`);
    const { manifest, files, jobId, pack: what } = pack.manifest;
    expect(body.data).toEqual({
      items: [
        {
          artifactId: pack.artifactId,
          jobId,
          status: "ready",
          livemode: true,
          contractId: what.contractId,
          motion: what.motion,
          outputFormat: what.outputFormat,
          headline: null,
          name: null,
          brandId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          versionOf: null,
          approval: "none",
          look: "classic",
          sizeCount: 2,
          fileCount: files.length,
          thumbnail: expect.objectContaining({ fileId: expect.stringMatching(/^[0-9a-f-]{36}$/) }),
          totalBytes: manifest.totalBytes,
          createdAt: manifest.createdAt,
          expiresAt: manifest.expiresAt,
        },
      ],
      nextBefore: null,
    });
  });

  it("artifacts are listed in pages, newest job first, each artifact once", async () => {
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
  });
});

/** An expired artifact with its job, in an old format. */
async function storeArtifact(workspaceId: string, createdAt: number): Promise<void> {
  const [jobId, artifactId] = [newId(), newId()];
  const db = anyDatabase();
  await db.batch([
    db
      .prepare(
        `INSERT INTO jobs (job_id, workspace_id, status, contract_id, motion, output_format, selected_size_ids, asset_ids,
         copy, brand, render_inputs, cost_credits, render_fingerprint, artifact_id, created_at, finished_at)
       VALUES (?1, ?2, 'succeeded', 'display.v1', 'static', 'png', '[]', '{}', '{}', '{}', '{}', 0, '', ?3, ?4, ?4)`,
      )
      .bind(jobId, workspaceId, artifactId, createdAt),
    db
      .prepare(
        `INSERT INTO artifacts
         (artifact_id, job_id, workspace_id, status, engine_version, total_bytes, created_at, expires_at, purged_at)
       VALUES (?1, ?2, ?3, 'expired', '1', 0, ?4, ?4, ?4)`,
      )
      .bind(artifactId, jobId, workspaceId, createdAt + 1),
  ]);
}

it("the sweep deletes expired sessions and invitations, and no others", async () => {
  const [ended, open] = [await createAccount(Date.now() - 1_000), await createAccount()];
  const invite = `/api/account/workspaces/${open.workspaceId}/invitations`;
  const [old, young] = [
    (await callAs(open, "POST", invite)).body.data.invitationId,
    (await callAs(open, "POST", invite)).body.data.invitationId,
  ];
  await execute`UPDATE workspace_invitations SET expires_at = 1 WHERE invitation_id = ${old}`;
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
