import { beforeAll, describe, expect, it } from "vitest";
import { CLIENT_WINDOWS, ROUTE_FAMILIES } from "#api/limits.ts";
import { newId } from "#platform/ids.ts";
import { addMember, callAs, cookieOf, createAccount, newEmail } from "../support/accounts.ts";
import { linksOf, pathOf, type ReadyPack, readyPack } from "../support/artifacts.ts";
import { execute } from "../support/database.ts";
import { freezeClock } from "../support/freeze-clock.ts";
import { kindsTo, MAIL, mailCall, signUpByMail } from "../support/mail.ts";
import { refusalOf } from "../support/refusals.ts";
import { shareOf } from "../support/shares.ts";
import { call } from "../support/workspace.ts";

/** An attacker may own an IPv6 /48, in which each /64 counts as a separate network. */

const from = (provider: number, customer = 0, network = 0) => ({
  "CF-Connecting-IP": `2a03:${provider.toString(16)}:${customer.toString(16)}:${network.toString(16)}::1`,
});

describe("API §20.2 password-reset mails to an address", () => {
  const ask = (email: string, headers: Record<string, string>) =>
    mailCall("POST", "/api/account/password/reset", { email }, headers);

  it("are limited per day and per /48 and /32 network, so that an owner on a new device still gets some", async () => {
    freezeClock();
    const email = newEmail();
    const statuses: number[] = [];
    for (const customer of [1, 2, 3]) {
      for (let network = 0; network < 3; network += 1) {
        statuses.push((await ask(email, from(1, customer, network))).status);
      }
    }
    expect(statuses).toEqual([202, 202, 429, 202, 202, 429, 429, 429, 429]);
    expect((await ask(email, from(2))).status).toBe(202);
    expect(ROUTE_FAMILIES["mail-address"]).toBeGreaterThanOrEqual(
      6 * CLIENT_WINDOWS["mail-address-site"].limit,
    );
  });

  it("are never all used up by other networks: some are reserved for the owner's known browser", async () => {
    freezeClock();
    const email = newEmail();
    const cookie = cookieOf(await signUpByMail(email));
    for (let time = 0; time < ROUTE_FAMILIES["mail-address"]; time += 1) {
      expect((await ask(email, from(100 + time))).status).toBe(202);
    }
    expect(refusalOf(await ask(email, from(200)))).toEqual([429, "RATE_LIMITED"]);
    const before = (await kindsTo(email)).length;
    const own = await ask(email, { ...from(200), Cookie: cookie });
    expect([own.status, (await kindsTo(email)).length]).toEqual([202, before + 1]);
  });
});

/** An account with a confirmed address. */
async function confirmedOwner() {
  const owner = await createAccount();
  await execute`UPDATE accounts SET is_email_verified = 1 WHERE account_id = ${owner.accountId}`;
  return owner;
}

it("API §18.7 an account can mail only a limited number of share links from all workspaces that it owns", async () => {
  freezeClock();
  const [owner, packs] = [await confirmedOwner(), [await readyPack(), await readyPack()]];
  const statuses = [];
  for (const pack of packs) {
    await addMember(pack.client.workspaceId, owner.accountId, "owner");
    const { share } = await shareOf(pack);
    for (let time = 0; time < 2; time += 1) {
      const path = `/api/v1/artifacts/${pack.artifactId}/shares/${share.shareId}/mail`;
      const { secret } = pack.client;
      const settings = { ...MAIL, RATE_LIMIT_ACCOUNT_MAIL: "3" };
      statuses.push(
        (await call("POST", path, { secret, body: { email: newEmail(), language: "en" }, settings })).status,
      );
    }
  }
  expect(statuses).toEqual([202, 202, 202, 429]);
});

it("API §11.5 an account can mail only a limited number of invitations from all its workspaces, and to one address", async () => {
  freezeClock();
  const owner = await confirmedOwner();
  const second = await callAs(owner, "POST", "/api/account/workspaces", {
    body: { name: "Second" },
    headers: { "Idempotency-Key": newId() },
  });
  const settings = { RATE_LIMIT_ACCOUNT_MAIL: "3", RATE_LIMIT_RECIPIENT_MAIL: "2" };
  const invite = (workspaceId: string, email: string) =>
    mailCall(
      "POST",
      `/api/account/workspaces/${workspaceId}/invitations`,
      { email },
      { Cookie: owner.cookie },
      settings,
    );
  const friend = newEmail();
  const statuses = [];
  for (const [workspaceId, email] of [
    [owner.workspaceId, friend],
    [second.body.data.workspaceId, friend],
    [owner.workspaceId, friend],
    [second.body.data.workspaceId, newEmail()],
    [owner.workspaceId, newEmail()],
  ] as const) {
    statuses.push((await invite(workspaceId, email)).status);
  }
  expect(statuses).toEqual([201, 201, 429, 201, 429]);
});

describe("API §18.6 a visitor who exceeds a limit", () => {
  let pack: ReadyPack;
  beforeAll(async () => {
    pack = await readyPack();
  });

  it("does not block other visitors of a share link", async () => {
    freezeClock();
    const { token } = await shareOf(pack);
    const settings = { RATE_LIMIT_VISITS: "2", RATE_LIMIT_LINK_VISITS_SITE: "3" };
    const visit = async (provider: number, network: number) =>
      (await call("GET", `/api/v1/shared/${token}`, { headers: from(provider, 0, network), settings }))
        .status;
    const statuses = [];
    for (const network of [1, 1, 1, 2, 2, 3]) statuses.push(await visit(1, network));
    expect([...statuses, await visit(2, 1)]).toEqual([200, 200, 429, 200, 429, 429, 200]);
  });

  it("does not block other visitors of a download link, whose bytes are sent unchanged", async () => {
    freezeClock();
    const links = await linksOf(pack);
    const settings = { RATE_LIMIT_LINK_DOWNLOADS_SITE: "1" };
    const download = (provider: number, network: number, url = links.url) =>
      call("GET", pathOf(url), { headers: from(provider, 0, network), settings });
    const [first, second, other] = [
      await download(1, 1),
      await download(1, 2),
      await download(2, 1, links.files[0]?.url),
    ];
    expect([first.status, second.status, other.status]).toEqual([200, 429, 200]);
    expect(ROUTE_FAMILIES.downloads).toBeGreaterThanOrEqual(5 * CLIENT_WINDOWS["link-downloads-site"].limit);
    for (const { headers } of [first, other]) expect(headers.get("Cache-Control")).toContain("no-transform");
  });
});
