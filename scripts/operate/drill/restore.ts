import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { inRoot } from "../../local/paths.ts";
import { grant, revoke } from "../workspace/commands.ts";
import { checkAllLedgers } from "../workspace/ledger-command.ts";
import { ask, creditsOf, keyStatus, newCustomer, order, statusOf } from "./customer.ts";
import { directoryFound } from "./directory.ts";
import { LocalCopy, newEncryptionKey, newSecret, type Secrets } from "./local-copy.ts";
import { expectSame, step } from "./steps.ts";

/** Rehearses "Setting the database back" of docs/operations.md on a separate service. */

const runbookQueries = async (): Promise<readonly string[]> =>
  [...(await readFile(inRoot("docs/operations.md"), "utf8")).matchAll(/```sql\n([^`]+)```/g)].map(
    ([, sql]) => sql ?? "",
  );

async function queryOf(start: string): Promise<string> {
  const found = (await runbookQueries()).find((sql) => sql.startsWith(`-- ${start}`));
  if (found === undefined) throw new Error(`the runbook has no query "${start}"`);
  return found;
}

/** Changes after the restore point, which the restore undoes. */
const LATER = `
UPDATE api_keys SET daily_budget = 7 WHERE name = 'First';
UPDATE account_credentials SET password_hash = 'changed';
UPDATE accounts SET email = 'changed@packs.example';
INSERT INTO mail_suppressions VALUES ('gone@packs.example', 'bounced', 1);
DELETE FROM mail_suppressions WHERE address = 'back@packs.example';
DELETE FROM image_secrets`;

/** A part of each statement that put-right.sql must print. */
const PUT_RIGHT = [
  ...["api_keys SET revoked", "api_keys SET daily", "shares SET revoked", "accounts SET email"],
  ...[
    "account_credentials SET",
    "INTO mail_supp",
    "FROM mail_supp",
    "DELETE FROM shard_states",
    "FROM image_secrets",
  ],
];

export async function drillRestore(): Promise<void> {
  const secrets: Secrets = {
    KEY_PEPPER: newSecret(),
    KEY_CHECK_SECRET: newSecret(),
    DOWNLOAD_SIGNING_KEY: newSecret(),
    AUTH_SECRET: newSecret(),
    DELIVERY_ENCRYPTION_KEY: newEncryptionKey(),
  };
  const copy = await LocalCopy.make();
  const run = (sql: string) =>
    copy.operate(secrets, async ({ db }) => {
      await db.batch(
        sql
          .split(";\n")
          .filter((one) => one.trim() !== "")
          .map((one) => db.prepare(one)),
      );
    });
  try {
    const customer = await step("A service with a customer, a pack, a share link and two keys", () =>
      newCustomer(copy, secrets, 10),
    );
    const { key, other, workspaceId } = customer;
    const first = await copy.serve(secrets, async ({ origin }) => {
      const pack = await order(origin, key.secret, "first");
      const path = `/api/v1/artifacts/${pack.artifactId}/shares`;
      const { data: share } = await ask(origin, "POST", path, { secret: key.secret, body: {} });
      return { ...pack, share, page: `/api/v1/shared/${String(share.url).split("/").at(-1)}` };
    });
    await run(`INSERT INTO mail_suppressions VALUES ('back@packs.example', 'bounced', 1);
INSERT INTO image_secrets VALUES ('drill', '${workspaceId}', 'Mails', 'sealed', 1)`);
    await step("A copy of the database, as Time Travel has one", () => copy.keep("then"));
    const restoredMs = Date.now();
    await delay(1_000);

    await step(
      "Later: another pack, a grant, a revoked key and link, people and budgets changed",
      async () => {
        await copy.serve(secrets, async ({ origin }) => {
          await order(origin, key.secret, "second");
          const { secret } = key;
          const link = `/api/v1/artifacts/${first.artifactId}/shares/${first.share.shareId}`;
          expectSame("revoking the link", await statusOf(origin, "DELETE", link, { secret }), 200);
          expectSame("credits", await creditsOf(origin, secret), 8);
        });
        await copy.operate(secrets, async (operator) => {
          await revoke(operator, { workspaceId, apiKeyId: other.apiKeyId, isCascade: false });
          await grant(operator, { workspaceId, credits: 50, cause: { reference: "INV-9" } });
        });
        await run(LATER);
      },
    );

    await step("1. Closed: without pepper and session secret every route answers 501", () =>
      copy.serve({ ...secrets, KEY_PEPPER: "", AUTH_SECRET: "" }, async ({ origin }) => {
        expectSame("balance", await keyStatus(origin, key), 501);
        expectSame("session", await statusOf(origin, "GET", "/api/account/session"), 501);
      }),
    );
    await step("2. and 3. Kept what is about to be forgotten; set back", async () => {
      await copy.keep("before");
      await copy.restore("then");
    });
    await step("4. Put right: what put-right.sql prints, and the grants that are lost", async () => {
      const putRight = await readFile(inRoot("scripts/operate/drill/put-right.sql"), "utf8");
      const lines = (await copy.compare("before", putRight)).flat();
      for (const kind of PUT_RIGHT) {
        expectSame(`lines of "${kind}"`, lines.filter((line) => String(line).includes(kind)).length, 1);
      }
      await run(lines.join("\n"));
      const grants = await copy.compare("before", await queryOf("grants to make again"), restoredMs);
      const amounts = grants.map(([, amount]) => amount);
      expectSame("lost grants", amounts, [50]);
      const reference = String(grants[0]?.[2]).split(":").at(-1) ?? "";
      for (let time = 0; time < 2; time += 1) {
        await copy.operate(secrets, (operator) =>
          grant(operator, { workspaceId, credits: 50, cause: { reference } }),
        );
      }
      const rest = (await copy.compare("before", putRight)).flat();
      expectSame("statements after putting right", rest, ["DELETE FROM shard_states;"]);
    });
    await step("5. The books are right", async () => {
      const faults = await copy.operate(secrets, async (operator) => {
        const books = (await runbookQueries()).filter((sql) => sql.startsWith("-- must be empty"));
        const rows = await Promise.all(
          books.map(async (sql) => (await operator.db.prepare(sql).all()).results),
        );
        return [...rows.flat(), ...(await checkAllLedgers(operator)).faults];
      });
      expectSame("faults", faults, []);
    });
    await step(
      "Open: keys, links and balance are those of before, and a repeated order is charged once",
      () =>
        copy.serve(secrets, async ({ origin }) => {
          const { secret } = key;
          expectSame("credits", await creditsOf(origin, secret), 59);
          expectSame("the revoked key", await keyStatus(origin, other), 401);
          expectSame("the revoked link", (await statusOf(origin, "GET", first.page)) >= 400, true);
          const pack = `/api/v1/artifacts/${first.artifactId}`;
          expectSame("the first pack", await statusOf(origin, "GET", pack, { secret }), 200);
          const again = [await order(origin, secret, "second"), await order(origin, secret, "second")];
          expectSame("the repeated order", again[0]?.jobId, again[1]?.jobId);
          expectSame("credits", await creditsOf(origin, secret), 58);
        }),
    );
    await step(
      "With shards: a payment listed since is found again once shard_states is emptied",
      directoryFound,
    );
  } finally {
    await copy.remove();
  }
}
