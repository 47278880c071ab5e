import { readdir, readFile } from "node:fs/promises";
import { remoteSqlFaults } from "../deploy/remote-sql.ts";
import { inRoot } from "../local/paths.ts";
import { bad, type Check, good } from "./check.ts";

/** Checks that D1's remote endpoint accepts every migration. */
export const checkRemoteMigrations: Check = {
  name: "migrations as D1's remote endpoint takes them",
  run: async () => {
    const names = (await readdir(inRoot("migrations"))).filter((name) => name.endsWith(".sql"));
    const faults: string[] = [];
    for (const name of names) {
      for (const { line, message } of remoteSqlFaults(await readFile(inRoot(`migrations/${name}`), "utf8"))) {
        faults.push(`migrations/${name}:${line} ${message}`);
      }
    }
    return faults.length === 0 ? good(`${names.length} files`) : bad(faults.join("\n"));
  },
};
