import { beforeEach, describe, expect, it, vi } from "vitest";
import { usageSummarySchema } from "#api/schemas/usage-summary.ts";
import { clock } from "#platform/clock.ts";
import { toCsv } from "#platform/csv.ts";
import { callAs, createAccount } from "../support/accounts.ts";
import { execute } from "../support/database.ts";
import { spend } from "../support/ledger.ts";
import { call, createWorkspace } from "../support/workspace.ts";

const NOON = Date.parse("2033-06-18T12:00:00.000Z");

beforeEach(() => {
  vi.spyOn(clock, "now").mockReturnValue(NOON);
});

const summary = (secret: string, query = "") => call("GET", `/api/v1/usage/summary?${query}`, { secret });

/** Inserts a row for each contract and day of a year, as jobs would. */
async function workspaceWithYear() {
  const workspace = await createWorkspace({});
  await execute`
    WITH RECURSIVE days(day) AS (
      SELECT '2032-01-01' UNION ALL SELECT date(day, '+1 day') FROM days WHERE day < '2032-12-31')
    INSERT INTO usage_days (workspace_id, day, api_key_id, contract_id, source, jobs, consumed, refunded)
    SELECT ${workspace.workspaceId}, day, '', value, 'credits', 1, 2, 0
    FROM days, json_each('["campaign.v1","display.v1","social.v1"]')`;
  return workspace;
}

describe("200", () => {
  it("shows the current month by day by default", async () => {
    const { secret, workspaceId } = await createWorkspace({ credits: 9 });
    for (const day of ["2033-05-31", "2033-06-01", "2033-06-18"])
      await spend(workspaceId, 3, Date.parse(day));
    const { status, body } = await summary(secret);
    expect(status).toBe(200);
    usageSummarySchema.strict().parse(body.data);
    expect(body.data).toMatchObject({
      from: "2033-06-01",
      to: "2033-06-18",
      groupBy: ["day"],
      nextBefore: null,
    });
    expect(body.data.items.map(({ day }: { day: string }) => day)).toEqual(["2033-06-18", "2033-06-01"]);
    expect(body.data.totals).toMatchObject({ jobs: 2, consumed: 6 });
  });

  it("has pages of a thousand rows, each row once, with the totals of all rows", async () => {
    const { secret } = await workspaceWithYear();
    const query = "from=2032-01-01&to=2032-12-31&groupBy=contract,day,key";
    const first = (await summary(secret, query)).body.data;
    expect([first.items.length, first.totals.jobs]).toEqual([1_000, 1_098]);
    const second = (await summary(secret, `${query}&before=${first.nextBefore}`)).body.data;
    expect([second.items.length, second.nextBefore, second.totals.jobs]).toEqual([98, null, 1_098]);
    const rows = [...first.items, ...second.items].map(
      ({ day, contractId }: { day: string; contractId: string }) => `${day} ${contractId}`,
    );
    expect(new Set(rows).size).toBe(1_098);
    expect(rows).toEqual(rows.toSorted().toReversed());
    const year = (await summary(secret, "from=2032-01-01&to=2032-12-31")).body.data;
    expect([year.items.length, year.nextBefore]).toEqual([366, null]);
  });

  it("has the same rows as CSV, with the next page in Link", async () => {
    const { secret } = await workspaceWithYear();
    const query = "from=2032-01-01&to=2032-12-31&groupBy=day,contract&format=csv";
    const first = await summary(secret, query);
    expect(first.headers.get("Content-Type")).toBe("text/csv; charset=utf-8; header=present");
    expect(first.headers.get("Content-Disposition")).toContain('filename="usage-2032-01-01-2032-12-31.csv"');
    const lines = new TextDecoder().decode(first.bytes).split("\r\n");
    expect(lines.slice(0, 2)).toEqual([
      "day,contractId,jobs,consumed,refunded,spent,credits,subscription,unlimited",
      "2032-12-31,social.v1,1,2,0,2,2,0,0",
    ]);
    expect([lines.length, lines.at(-1)]).toEqual([1_002, ""]);
    const [, next = ""] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get("Link") ?? "") ?? [];
    const second = await call("GET", next, { secret });
    expect(new TextDecoder().decode(second.bytes).split("\r\n")).toHaveLength(100);
    expect(second.headers.get("Link")).toBeNull();
    const totals = await summary(secret, "from=2032-01-01&to=2032-01-31&groupBy=&format=csv");
    expect(new TextDecoder().decode(totals.bytes).split("\r\n")[1]).toBe("93,186,0,186,186,0,0");
  });

  it("shows a key and a member only their own workspace", async () => {
    const account = await createAccount();
    const stranger = await workspaceWithYear();
    const path = `/api/account/workspaces/${account.workspaceId}/usage`;
    const query = "from=2032-01-01&to=2032-12-31";
    const own = await callAs(account, "GET", `${path}/summary?${query}`);
    expect([own.status, own.body.data.totals.jobs]).toEqual([200, 0]);
    expect((await callAs(account, "GET", `${path}/statement`)).status).toBe(200);
    const foreign = `/api/account/workspaces/${stranger.workspaceId}/usage/summary`;
    expect((await callAs(account, "GET", foreign)).status).toBe(404);
  });
});

describe("400", () => {
  it.each([
    ["from=2033-06-19&to=2033-06-18", "INVALID_REQUEST"],
    ["from=2032-06-17&to=2033-06-18", "INVALID_REQUEST"],
    ["from=2033-02-30", "INVALID_REQUEST"],
    ["to=18.06.2033", "INVALID_REQUEST"],
    ["groupBy=day,week", "INVALID_REQUEST"],
    ["groupBy=day,day,day,day", "INVALID_REQUEST"],
    ["format=xlsx", "INVALID_REQUEST"],
    ["groupBy=day,key&before=2033-06-18", "INVALID_CURSOR"],
    ["before=%27", "INVALID_CURSOR"],
  ])("for ?%s", async (query, code) => {
    const { secret } = await createWorkspace({});
    const { status, body } = await summary(secret, query);
    expect([status, body.error?.code]).toEqual([400, code]);
  });
});

describe("CSV", () => {
  it("has texts that no spreadsheet evaluates, and numbers that stay numbers", () => {
    const texts = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\r=x", "＝1", 'a "b", c', "two\nlines", "plain"];
    expect(
      toCsv(
        ["name", "amount"],
        texts.map((text) => [text, -1]),
      ).split("\r\n"),
    ).toEqual([
      "name,amount",
      "'=1+1,-1",
      "'+1,-1",
      "'-1,-1",
      "'@SUM(A1),-1",
      "'\tx,-1",
      `"'\r=x",-1`,
      "'＝1,-1",
      '"a ""b"", c",-1',
      '"two\nlines",-1',
      "plain,-1",
      "",
    ]);
    expect(toCsv(["name"], [[null]])).toBe("name\r\n\r\n");
  });

  it("shows the names of keys, escaped", async () => {
    const { secret, workspaceId } = await createWorkspace({ credits: 5 });
    const body = { name: '=HYPERLINK("https://evil.example")', scopes: ["jobs:write"] };
    const { apiKeyId } = (await call("POST", "/api/v1/api-keys", { secret, body })).body.data;
    await spend(workspaceId, 2, NOON, { apiKeyId });
    const table = new TextDecoder().decode((await summary(secret, "groupBy=key&format=csv")).bytes);
    expect(table).toContain(`${apiKeyId},"'=HYPERLINK(""https://evil.example"")",1,2,0,2,2,0,0\r\n`);
  });
});
