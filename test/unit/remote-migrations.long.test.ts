import { describe, expect, it } from "vitest";
import { pendingMigrations, SCHEMA_QUERY } from "../../scripts/deploy/pending-migrations.ts";
import { remoteSqlFaults } from "../../scripts/deploy/remote-sql.ts";
import { readMigrations } from "../../scripts/local/migrate.ts";
import { RemoteD1 } from "../deploy/remote-d1.ts";

/**
 * Guarantee: a deployed database gets every migration whole, whatever D1's endpoints do to triggers, and one that an earlier
 * deployment left half-way is finished.
 */

const REFUSED = {
  "over several lines": "CREATE TRIGGER t AFTER INSERT ON a\nBEGIN\n\tUPDATE a SET n = 1;\nEND;\n",
  "begin in small letters": "CREATE TRIGGER t AFTER INSERT ON a begin UPDATE a SET n = 1; end;\n",
  "a CASE": "CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE WHEN 1 THEN 2 END; END;\n",
  "an INSERT that fails when it is repeated": "INSERT INTO a (n) SELECT n FROM b;\n",
  "an UPDATE that adds when it is repeated": "UPDATE a SET n = n + 1 WHERE m = 2;\n",
  "an UPDATE of every row": "UPDATE `a` SET `n` = (SELECT 1 FROM b WHERE b.m = a.m);\n",
};

describe("the rules for migrations", () => {
  it.each(Object.entries(REFUSED))("refuse valid SQL that D1 may stumble over: %s", (_, sql) => {
    expect(remoteSqlFaults(sql)).not.toEqual([]);
  });

  it("accept a trigger on one line", () => {
    const sql = "CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET n = 1; UPDATE a SET n = 2; END;\n";
    expect(remoteSqlFaults(sql)).toEqual([]);
  });

  it("accept an UPDATE of rows that are still as before", () => {
    const sql = "UPDATE `a` SET `n` = (SELECT m FROM b WHERE b.m = a.m), `o` = 2 WHERE `n` IS NULL;\n";
    expect(remoteSqlFaults(sql)).toEqual([]);
  });
});

const migrations = await readMigrations();

/** A workspace that was given ten credits and spent three. */
const SPENT = [
  "INSERT INTO workspaces (workspace_id, name, kind, created_at) VALUES ('w', 'W', 'standard', 1)",
  "INSERT INTO ledger_events (workspace_id, type, source, amount, balance_after, reference, description, created_at) VALUES ('w', 'grant', 'credits', 10, 10, 'g', '', 1)",
  "INSERT INTO jobs (job_id, workspace_id, status, contract_id, motion, output_format, selected_size_ids, asset_ids, copy, brand, render_inputs, cost_credits, render_fingerprint, artifact_id, created_at) VALUES ('j', 'w', 'queued', 'display.v1', 'static', 'png', '[]', '{}', '{}', '{}', '{}', 3, '', 'a', 2)",
  "INSERT INTO ledger_events (workspace_id, type, source, amount, balance_after, reference, description, job_id, created_at) VALUES ('w', 'consumption', 'credits', -3, 7, 'c', '', 'j', 2)",
];

const schemaOf = (database: RemoteD1): string[] =>
  (database.query(SCHEMA_QUERY)[0]?.results ?? []).map((row) => String(Object(row).sql));

describe("our migrations", () => {
  it("are finished by a deployment, each from its middle", () => {
    const whole = new RemoteD1();
    whole.import(pendingMigrations(migrations, [], [])?.sql ?? "");
    for (const [index, { name, statements }] of migrations.entries()) {
      const before = migrations.slice(0, index);
      const executed = statements.slice(0, Math.ceil(statements.length / 2));
      const database = new RemoteD1();
      database.import([...before.flatMap((earlier) => earlier.statements), ...executed].join(";\n"));
      const applied = before.map((earlier) => earlier.name);
      database.import(pendingMigrations(migrations, applied, schemaOf(database))?.sql ?? "");
      expect(schemaOf(database).sort(), name).toEqual(schemaOf(whole).sort());
    }
  });

  it("0021 sums up what was spent before it once, wherever it broke off", () => {
    const at = migrations.findIndex(({ name }) => name.startsWith("0021"));
    const statements = migrations[at]?.statements ?? [];
    const before = migrations.slice(0, at);
    const moves = statements.flatMap((statement, index) => (/^INSERT/m.test(statement) ? [index + 1] : []));
    const sums = [0, ...moves].map((executed) => {
      const database = new RemoteD1();
      database.import([...before.flatMap((earlier) => earlier.statements), ...SPENT].join(";\n"));
      database.import(`${statements.slice(0, executed).join(";\n")};`);
      const applied = before.map(({ name }) => name);
      database.import(pendingMigrations(migrations, applied, schemaOf(database))?.sql ?? "");
      const rowsOf = (sql: string) => database.query(sql)[0]?.results;
      return [
        rowsOf("SELECT day, jobs, consumed, refunded FROM usage_days"),
        rowsOf("SELECT month, opening_credits FROM ledger_months"),
      ];
    });
    const once = [
      [{ day: "1970-01-01", jobs: 1, consumed: 3, refunded: 0 }],
      [{ month: "1970-01", opening_credits: 0 }],
    ];
    expect(sums).toEqual([once, once, once]);
  });
});
