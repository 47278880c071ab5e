import { expect, it } from "vitest";
import { newId } from "#platform/ids.ts";
import { addMember, createAccount } from "../support/accounts.ts";
import { execute } from "../support/database.ts";
import { holdQueue, packOf, workspaceWithLogo } from "../support/jobs.ts";
import { MAIL } from "../support/mail.ts";
import { balanceOf, refusalOf } from "../support/refusals.ts";
import { call } from "../support/workspace.ts";

async function ownedWorkspace(isConfirmed: boolean, role: "owner" | "member" = "owner") {
  const client = await workspaceWithLogo({ credits: 20 });
  const { accountId } = await createAccount();
  await addMember(client.workspaceId, accountId, role);
  await setConfirmed(accountId, isConfirmed);
  return { ...client, accountId };
}

const setConfirmed = (accountId: string, isConfirmed: boolean) =>
  execute`UPDATE accounts SET is_email_verified = ${Number(isConfirmed)} WHERE account_id = ${accountId}`;

/** One environment for all requests of a test, so that the isolate's caches persist. */
const orderUnder = (settings: typeof MAIL | undefined, client: { secret: string; logoId: string }) =>
  call("POST", "/api/v1/jobs", {
    secret: client.secret,
    body: packOf(client),
    headers: { "Idempotency-Key": newId() },
    ...(settings && { settings }),
  });

it("API §10.11 POST /jobs 403 EMAIL_NOT_CONFIRMED until the owner has confirmed the address, then 202 at once", async () => {
  holdQueue();
  const client = await ownedWorkspace(false);
  expect(refusalOf(await orderUnder(MAIL, client))).toEqual([403, "EMAIL_NOT_CONFIRMED"]);
  expect(await balanceOf(client.workspaceId)).toBe(20);
  await setConfirmed(client.accountId, true);
  expect((await orderUnder(MAIL, client)).status).toBe(202);
});

it("cached preconditions do not outlive the confirmation", async () => {
  holdQueue();
  const client = await ownedWorkspace(true);
  expect((await orderUnder(MAIL, client)).status).toBe(202);
  await setConfirmed(client.accountId, false);
  expect((await orderUnder(MAIL, client)).status).toBe(403);
  expect(await balanceOf(client.workspaceId)).toBe(19);
});

it("API §10.11 no confirmation is required without mail, without an owner, or from a member", async () => {
  holdQueue();
  expect((await orderUnder(undefined, await ownedWorkspace(false))).status).toBe(202);
  expect((await orderUnder(MAIL, await workspaceWithLogo({ credits: 20 }))).status).toBe(202);
  expect((await orderUnder(MAIL, await ownedWorkspace(false, "member"))).status).toBe(202);
});

it("previews and quotes need no confirmation", async () => {
  const client = await ownedWorkspace(false);
  const quote = await call("POST", "/api/v1/jobs/quote", {
    secret: client.secret,
    body: packOf(client),
    settings: MAIL,
  });
  expect(quote.status, JSON.stringify(quote.body)).toBe(200);
});
