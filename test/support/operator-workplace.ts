import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Target } from "../../scripts/operator/command-line.ts";
import type { Workplace } from "../../scripts/operator/commands.ts";
import { openDatabase } from "../../scripts/operator/open-database.ts";

/** A state folder of its own with all tables, as an operator's commands find it. */

export const OPERATOR_PEPPER = "operator-tests-pepper-0123456789abcdef";

async function migrate(db: D1Database): Promise<void> {
  const files = (await readdir("migrations")).filter((file) => file.endsWith(".sql")).sort();
  for (const file of files) {
    const statements = (await readFile(join("migrations", file), "utf8")).split("--> statement-breakpoint");
    await db.batch(statements.map((statement) => db.prepare(statement)));
  }
}

export interface OpenWorkplace {
  readonly folder: string;
  readonly workplace: Workplace;
  readonly close: () => Promise<void>;
}

/** Opens a new workplace at a time of the test's own. Whoever opens it closes it. */
export async function openWorkplace(nowMs: number): Promise<OpenWorkplace> {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-test-"));
  const envFile = join(folder, "secrets");
  await writeFile(envFile, `KEY_PEPPER=${OPERATOR_PEPPER}\n`);
  const stateFolder = join(folder, "state");
  const target: Target = { isRemote: false, stateFolder, configPath: "wrangler.toml", envFile };
  const { db, close } = await openDatabase(target);
  await migrate(db);
  return {
    folder,
    workplace: { db, target, nowMs },
    close: async () => {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
