import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { makeAssets } from "../make/assets.ts";
import { migrateLocal } from "./migrate.ts";
import { inRoot } from "./paths.ts";
import { ensureLocalSecrets } from "./secrets.ts";

/** wrangler's default, so that `wrangler d1 … --local` uses the same database. */
export const STATE_FOLDER = inRoot(".wrangler/state");

/** In the folder of the databases, so that deleting the databases also deletes the stamp. */
const STAMP_FOLDER = `${STATE_FOLDER}/v3/d1`;
const STAMP = `${STAMP_FOLDER}/migrated`;

/** Inputs of the local databases: the migrations, and the configuration that names the databases. */
async function fingerprint(configPath: string): Promise<string> {
  const migrations = (await readdir(inRoot("migrations"))).filter((name) => name.endsWith(".sql")).sort();
  const hash = createHash("sha256").update(migrations.join("\n"));
  return hash.update(await readFile(configPath)).digest("hex");
}

/** Migrates the default local databases if needed; the check takes a millisecond. */
async function migrateUsual(configPath: string): Promise<void> {
  const wanted = await fingerprint(configPath);
  if ((await readFile(STAMP, "utf8").catch(() => "")) === wanted) return;
  await migrateLocal(STATE_FOLDER, configPath);
  await mkdir(STAMP_FOLDER, { recursive: true });
  await writeFile(STAMP, wanted);
}

/** Creates what the worker needs on this machine: static files, secrets, tables. Fast if everything exists. */
export async function prepareLocally(configPath: string = inRoot("wrangler.toml")): Promise<void> {
  await makeAssets();
  await ensureLocalSecrets();
  await migrateUsual(configPath);
}
