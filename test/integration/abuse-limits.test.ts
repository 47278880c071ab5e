import { beforeAll, describe, expect, it } from "vitest";
import { ROUTE_FAMILIES } from "../../src/api/limits.ts";
import { newId } from "../../src/platform/ids.ts";
import { callAs, cookieOf, createAccount } from "../support/accounts.ts";
import { linksOf, pathOf, type ReadyPack, readyPack } from "../support/artifacts.ts";
import { execute } from "../support/database.ts";
import { freezeClock } from "../support/freeze-clock.ts";
import { kindsTo, mailCall, signUpByMail } from "../support/mail.ts";
import { refusalOf } from "../support/refusals.ts";
import { shareOf } from "../support/shares.ts";
import { call } from "../support/workspace.ts";

/** Guarantee: what one stranger or one account may do is bounded, and takes nothing from a person. */

const newEmail = (): string => `${newId()}@accounts.example`;
const from = (network: number) => ({ "CF-Connecting-IP": `2a03:${network.toString(16)}::1` });

describe("API §20.2 a person's password-reset mails", () => {
  const ask = (email: string, headers: Record<string, string>) =>
    mailCall("POST", "/api/account/password/reset", { email }, headers);

  it("one network has a few sent in a day, and others then still do", async () => {
    freezeClock();
    const email = newEmail();
    const perNetwork = ROUTE_FAMILIES["mail-address-network"];
    for (let time = 0; time < perNetwork; time += 1) expect((await ask(email, from(1))).status).toBe(202);
    expect(refusalOf(await ask(email, from(1)))).toEqual([429, "RATE_LIMITED"]);
    expect((await ask(email, from(2))).status).toBe(202);
  });

  it("strangers of all networks together leave some to the browser that the person signs in with", async () => {
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

it("API §11.5 an account has a bounded number of invitations mailed from all of its workspaces, and to one address", async () => {
  freezeClock();
  const owner = await createAccount();
  await execute`UPDATE accounts SET is_email_verified = 1 WHERE account_id = ${owner.accountId}`;
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

describe("API §18.6 one visitor", () => {
  let pack: ReadyPack;
  beforeAll(async () => {
    pack = await readyPack();
  });

  it("keeps nobody else from a share link, whose own window is several times a network's", async () => {
    freezeClock();
    const { token } = await shareOf(pack);
    const visit = async (network: number) =>
      (
        await call("GET", `/api/v1/shared/${token}`, {
          headers: from(network),
          settings: { RATE_LIMIT_VISITS: "2" },
        })
      ).status;
    expect([await visit(1), await visit(1), await visit(1), await visit(2)]).toEqual([200, 200, 429, 200]);
    expect(ROUTE_FAMILIES["link-visits"]).toBeGreaterThanOrEqual(5 * ROUTE_FAMILIES.visits);
  });

  it("keeps nobody else from a download link, and the bytes are sent as they are", async () => {
    freezeClock();
    const links = await linksOf(pack);
    const download = (network: number, url = links.url) =>
      call("GET", pathOf(url), { headers: from(network), settings: { RATE_LIMIT_LINK_DOWNLOADS: "1" } });
    const [first, second, other] = [
      await download(1),
      await download(1),
      await download(2, links.files[0]?.url),
    ];
    expect([first.status, second.status, other.status]).toEqual([200, 429, 200]);
    for (const { headers } of [first, other]) expect(headers.get("Cache-Control")).toContain("no-transform");
  });
});
