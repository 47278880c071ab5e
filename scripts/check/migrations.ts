import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { relative } from "node:path";
import { inRoot, ROOT } from "../local/paths.ts";
import { runTool } from "../local/tool.ts";
import { bad, type Check, good } from "./check.ts";

/** Checks that src/platform/db/schema/ matches the migrations: generating again must add nothing. */
export const checkMigrations: Check = {
  name: "migrations in step with the schema",
  run: async () => {
    // drizzle-kit resolves its folders from the working directory.
    await mkdir(inRoot(".cache"), { recursive: true });
    const folder = await mkdtemp(inRoot(".cache/migrations-"));
    try {
      await cp(inRoot("migrations"), folder, { recursive: true });
      const snapshots = (await readdir(`${folder}/meta`)).filter((name) => name.endsWith("_snapshot.json"));
      if (snapshots.length > 1)
        return bad("migrations/meta needs the newest snapshot alone. Remove the others.");
      const before = await readdir(folder);
      const { code, output } = await runTool("drizzle-kit", [
        ...["generate", "--dialect", "sqlite"],
        ...["--schema", "src/platform/db/schema/index.ts", "--out", relative(ROOT, folder)],
      ]);
      const added = (await readdir(folder)).filter((name) => !before.includes(name));
      if (code === 0 && added.length === 0) return good(`${before.filter(isMigration).length} files`);
      return bad(
        `src/platform/db/schema/ differs from migrations/. Run: npx drizzle-kit generate\n${output.trim()}`,
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

const isMigration = (name: string): boolean => name.endsWith(".sql");
