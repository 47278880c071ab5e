import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { remoteSqlFaults } from "../../scripts/deploy/remote-sql.ts";
import { inRoot } from "../../scripts/local/paths.ts";
import { RemoteD1, splitAsRemote } from "../deploy/remote-d1.ts";

/**
 * Guarantee: what D1's remote endpoint refuses never reaches it. The endpoint's splitter is not public; the stand-in
 * follows the narrowest of the rules that it was seen to follow, over SQLite itself.
 */

const REFUSED = {
  "over several lines": "CREATE TRIGGER t AFTER INSERT ON a\nBEGIN\n\tUPDATE a SET n = 1;\nEND;\n",
  "begin in small letters": "CREATE TRIGGER t AFTER INSERT ON a begin UPDATE a SET n = 1; end;\n",
  "a CASE": "CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE WHEN 1 THEN 2 END; END;\n",
};

describe("the rules for migrations", () => {
  it.each(Object.entries(REFUSED))("know a valid trigger that the endpoint refuses: %s", (_, sql) => {
    const database = new RemoteD1();
    database.query("CREATE TABLE a (n INTEGER);");
    expect(() => database.query(sql)).toThrow("incomplete input");
    expect(remoteSqlFaults(sql)).not.toEqual([]);
  });

  it("let a trigger on one line through, whole", () => {
    const sql = "CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET n = 1; UPDATE a SET n = 2; END;\n";
    expect(remoteSqlFaults(sql)).toEqual([]);
    expect(splitAsRemote(sql)).toEqual([sql]);
  });
});

describe("our migrations", () => {
  it("go through the remote endpoint one after another, with their triggers", () => {
    const database = new RemoteD1();
    const names = readdirSync(inRoot("migrations")).filter((name) => name.endsWith(".sql"));
    for (const name of names.sort()) database.query(readFileSync(inRoot(`migrations/${name}`), "utf8"));
    const found = database.query("SELECT name FROM sqlite_master WHERE type = 'trigger';")[0]?.results;
    expect(found).toContainEqual({ name: "ledger_events_apply_credits" });
  });
});
