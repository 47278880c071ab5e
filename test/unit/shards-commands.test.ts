import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { add } from "../../scripts/operate/shards/add.ts";
import { readInvocation } from "../../scripts/operate/shards/command-line.ts";
import { type DatabaseSize, planRebalance } from "../../scripts/operate/shards/plan-rebalance.ts";

/** The shard commands do exactly what was typed, or nothing. `rebalance` only prints a plan. */

const WORKSPACE = "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71";
const ID = "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e72";
const read = (line: string) => readInvocation(line.split(" "));

describe("the shard command", () => {
  it.each([
    ["list", { name: "list" }],
    ["moves", { name: "moves" }],
    [`add --id ${ID}`, { name: "add", shard: null, databaseId: ID }],
    [`move ${WORKSPACE} --to 03`, { name: "move", workspaceId: WORKSPACE, to: "03", isWaiting: true }],
    [
      `move ${WORKSPACE} --to DB --no-wait`,
      { name: "move", workspaceId: WORKSPACE, to: "DB", isWaiting: false },
    ],
    ["rebalance --dry-run", { name: "rebalance" }],
  ])("%s is parsed", (line, command) => {
    expect(read(line).command).toEqual(command);
  });

  it.each([
    "rebalance",
    `move ${WORKSPACE}`,
    "move --to 03",
    `move ${WORKSPACE} --to 64`,
    `move ${WORKSPACE} --to 3`,
    "move no-id --to 03",
    "add --shard 64",
    "list --remote --persist-to x",
    "drop",
  ])("%s is rejected", (line) => {
    expect(() => read(line)).toThrow();
  });
});

it("add binds the first unbound shard, and rejects a shard that is already bound", async () => {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-test-"));
  try {
    const configPath = join(folder, "wrangler.toml");
    await writeFile(configPath, 'name = "x"\n[[d1_databases]]\nbinding = "DB_00"');
    const target = { isRemote: false, stateFolder: "", configPath, envFile: null };
    expect(await add(target, { shard: null, databaseId: ID })).toMatchObject({ shard: "01" });
    const written = await readFile(configPath, "utf8");
    expect(written).toContain(`binding = "DB_00"\n\n[[d1_databases]]\nbinding = "DB_01"\n`);
    expect(written).toContain(`database_id = "${ID}"\nmigrations_dir = "migrations"\n`);
    await expect(add(target, { shard: "01", databaseId: ID })).rejects.toThrow("bound already");
    await expect(add(target, { shard: null, databaseId: null })).rejects.toThrow("--remote");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

describe("rebalance", () => {
  const database = (home: DatabaseSize["home"], bytes: number, packs: readonly number[]): DatabaseSize => ({
    home,
    bytes,
    packs: packs.reduce((sum, count) => sum + count, 0),
    largest: packs.map((count, at) => ({ workspaceId: `${home}-${at}`, packs: count })),
  });

  it("moves nothing between similar or small databases, or without a destination", () => {
    expect(planRebalance([])).toEqual([]);
    expect(planRebalance([database("DB", 9e9, [5, 5])])).toEqual([]);
    expect(planRebalance([database("00", 5e9, [9]), database("01", 4.5e9, [9])])).toEqual([]);
    expect(planRebalance([database("00", 9e7, [9, 1]), database("01", 1e6, [1])])).toEqual([]);
  });

  it("moves the largest workspace that fits from the fullest to the emptiest, until they are balanced", () => {
    const planned = planRebalance([
      database("DB", 8e9, [400, 100, 100, 100, 100]),
      database("00", 1e9, [10]),
      database("01", 2e9, [10]),
    ]);
    expect(planned.map(({ workspaceId, from, to }) => [workspaceId, from, to])).toEqual([
      ["DB-1", "DB", "00"],
      ["DB-2", "DB", "00"],
      ["DB-3", "DB", "01"],
      ["DB-4", "DB", "00"],
    ]);
  });
});
