import { randomBytes } from "node:crypto";
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { databaseNow } from "#platform/db/database-clock.ts";
import { Failure } from "../../local/failure.ts";
import { migrateLocal } from "../../local/migrate.ts";
import { inRoot } from "../../local/paths.ts";
import { LOOPBACK_VARS, type LocalWorker, startLocalWorker } from "../../local/worker.ts";
import { makeAssets } from "../../make/assets.ts";
import { failureOf } from "../../run/demo/open-client.ts";
import { openDatabase } from "../workspace/open-database.ts";
import type { OperatorDatabase } from "../workspace/operator-database.ts";

/** A service in its own folder, which a drill starts, stops, and changes in between. */

export const newSecret = (): string => randomBytes(32).toString("hex");
export const newEncryptionKey = (): string => randomBytes(32).toString("base64");

/** The worker's secrets by name; an empty text counts as missing. */
export type Secrets = Readonly<Record<string, string>>;

export class LocalCopy {
  readonly #folder: string;
  readonly #configPath = inRoot("wrangler.toml");

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async make(): Promise<LocalCopy> {
    const copy = new LocalCopy(await mkdtemp(join(tmpdir(), "creative-packs-drill-")));
    await makeAssets();
    await migrateLocal(copy.#stateFolder, copy.#configPath);
    return copy;
  }

  get #stateFolder(): string {
    return join(this.#folder, "state");
  }

  /** Runs the worker with these secrets while the callback runs. */
  async serve<T>(secrets: Secrets, work: (worker: LocalWorker) => Promise<T>): Promise<T> {
    const worker = await startLocalWorker({
      stateFolder: this.#stateFolder,
      logPath: join(this.#folder, "worker.log"),
      configPath: this.#configPath,
      port: 0,
      vars: { ...LOOPBACK_VARS, ...secrets },
    });
    try {
      return await work(worker);
    } catch (thrown) {
      const { message } = failureOf(thrown) ?? new Failure(String(thrown));
      throw new Failure(`${message}\n\nThe worker's last lines:\n${worker.lastLines()}`);
    } finally {
      await worker.stop();
    }
  }

  /** Runs an operator's command on the database, while no worker runs. */
  async operate<T>(secrets: Secrets, work: (operator: OperatorDatabase) => Promise<T>): Promise<T> {
    const envFile = join(this.#folder, "secrets.env");
    await writeFile(
      envFile,
      Object.entries(secrets)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(""),
    );
    const target = { isRemote: false, stateFolder: this.#stateFolder, configPath: this.#configPath, envFile };
    const { db, databases, close } = await openDatabase(target);
    try {
      return await work({ db, home: "DB", databases, target, nowMs: await databaseNow(db) });
    } finally {
      await close();
    }
  }

  /** Copies the database as Time Travel does: without the files in storage. */
  async keep(name: string): Promise<void> {
    await cp(join(this.#stateFolder, "v3/d1"), join(this.#folder, name), { recursive: true });
  }

  /** Restores the database from a copy. */
  async restore(name: string): Promise<void> {
    await rm(join(this.#stateFolder, "v3/d1"), { recursive: true });
    await cp(join(this.#folder, name), join(this.#stateFolder, "v3/d1"), { recursive: true });
  }

  async #file(folder: string): Promise<string> {
    const names = await readdir(folder, { recursive: true });
    for (const name of names.filter((each) => each.endsWith(".sqlite"))) {
      const db = new DatabaseSync(join(folder, name));
      const isOurs = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'workspaces'").get() !== undefined;
      db.close();
      if (isOurs) return join(folder, name);
    }
    throw new Error(`no database in ${folder}`);
  }

  /** Rows of a query on a copy, with the current database attached as `after`. */
  async compare(name: string, sql: string, ...values: readonly number[]): Promise<readonly unknown[][]> {
    const db = new DatabaseSync(await this.#file(join(this.#folder, name)));
    try {
      db.prepare("ATTACH ? AS after").run(await this.#file(join(this.#stateFolder, "v3/d1")));
      return db
        .prepare(sql)
        .all(...values)
        .map((row) => Object.values(row));
    } finally {
      db.close();
    }
  }

  remove = (): Promise<void> => rm(this.#folder, { recursive: true, force: true });
}
