import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { migrateLocal } from "../../scripts/local/migrate.ts";
import { runTool, WRANGLER_ENVIRONMENT } from "../../scripts/local/tool.ts";
import { SHORT_FORMS } from "../support/short-forms.ts";

/** Documented commands start, and wrangler supports the documented wrangler commands. */

const START_MS_MAX = 600_000;

it.each(Object.entries(SHORT_FORMS))(
  "npm run %s starts",
  async (name, { parameters, end }) => {
    const folder = await mkdtemp(join(tmpdir(), "creative-packs-started-"));
    const isOnDatabases = name === "shards";
    if (isOnDatabases) await migrateLocal(folder);
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const [, ...words] = String(scripts[name]).split(" ");
    const given = isOnDatabases ? [...parameters, "--persist-to", folder] : parameters;
    const { code, output } = await runTool("node", [...words.slice(1), ...given], {}, START_MS_MAX);
    expect(output, output).toMatch(end);
    // A busy machine misses targets of the benchmark.
    if (name !== "bench") expect(code).toBe(0);
    await rm(folder, { recursive: true });
  },
  START_MS_MAX,
);

/** The documented `npx wrangler …` commands: their words before the first value or flag, and their flags. */
function wranglerCommands(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const path of ["README.md", ...globSync("docs/**/*.md")]) {
    for (const [, line = ""] of readFileSync(path, "utf8").matchAll(/npx wrangler ([a-z][^\n`#&|;<]*)/g)) {
      const words = /^[a-z0-9]+(?: [a-z][a-z0-9-]*(?= |$)){0,2}/.exec(line)?.[0] ?? "";
      const flags = found.get(words) ?? new Set();
      for (const [flag] of line.matchAll(/(?<= )--[a-z-]+/g)) flags.add(flag);
      found.set(words, flags);
    }
  }
  return found;
}

it(
  "wrangler supports the documented commands and flags",
  async () => {
    const commands = wranglerCommands();
    expect(commands.size).toBeGreaterThan(12);
    for (const [words, flags] of commands) {
      const { output } = await runTool("wrangler", [...words.split(" "), "--help"], WRANGLER_ENVIRONMENT);
      // For an unknown command, wrangler shows the help of its group.
      const usage = /^wrangler ([a-z0-9- ]+?)(?: [<[].*)?$/m.exec(output)?.[1] ?? "none";
      expect(`${words} `, output).toContain(`${usage} `);
      expect(output, words).not.toContain("\nCOMMANDS\n");
      for (const flag of flags) expect(output, words).toContain(flag);
    }
  },
  START_MS_MAX,
);
