import { expect, it } from "vitest";
import { addMember, callAs, createAccount } from "../support/accounts.ts";
import { firstFile, readyPack } from "../support/artifacts.ts";
import { packOf, postJob } from "../support/jobs.ts";
import { call } from "../support/workspace.ts";

/** RFC 9562 §4 allows either case, and the libraries of some languages write UUIDs in uppercase. */

it("uppercase ids are accepted in paths and bodies, with keys and sessions", async () => {
  const pack = await readyPack();
  const { secret, workspaceId, logoId } = pack.client;
  const { fileId } = firstFile(pack);
  const paths = [
    `/api/v1/jobs/${pack.manifest.jobId.toUpperCase()}`,
    `/api/v1/assets/${logoId.toUpperCase()}`,
    `/api/v1/artifacts/${pack.artifactId.toUpperCase()}`,
    `/api/v1/artifacts/${pack.artifactId.toUpperCase()}/files/${fileId.toUpperCase()}/download`,
  ];
  for (const path of paths) expect((await call("GET", path, { secret })).status, path).toBe(200);
  const body = { ...packOf(pack.client), assetIds: { logo: logoId.toUpperCase() } };
  const made = await postJob(secret, body);
  expect([made.status, made.body.data.assetIds]).toEqual([202, { logo: logoId }]);
  const account = await createAccount();
  await addMember(workspaceId, account.accountId, "owner");
  const shown = await callAs(account, "GET", `/api/account/workspaces/${workspaceId.toUpperCase()}/balance`);
  expect(shown.status).toBe(200);
});
