import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrateEmpty } from "../../scripts/local/migrate.ts";
import { openDatabase } from "../../scripts/operate/workspace/open-database.ts";
import type { OperatorDatabase } from "../../scripts/operate/workspace/operator-database.ts";
import type { Target } from "../../scripts/operate/workspace/run-command.ts";

/** A state folder with all tables, for operators' commands. */

export const OPERATOR_PEPPER = "operator-tests-pepper-0123456789abcdef";

export interface OpenOperatorDatabase {
  readonly folder: string;
  readonly operator: OperatorDatabase;
  readonly close: () => Promise<void>;
}

/** Opens the database of a new state folder, for an operator whose time is `nowMs`. The test closes it. */
export async function openOperatorDatabase(nowMs: number): Promise<OpenOperatorDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-test-"));
  const envFile = join(folder, "secrets");
  await writeFile(envFile, `KEY_PEPPER=${OPERATOR_PEPPER}\n`);
  const stateFolder = join(folder, "state");
  const target: Target = { isRemote: false, stateFolder, configPath: "wrangler.toml", envFile };
  const { db, databases, close } = await openDatabase(target);
  await migrateEmpty(db);
  return {
    folder,
    operator: { db, home: "DB", databases, target, nowMs },
    close: async () => {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
