import { type Databases, databaseOf, everyDatabase } from "../databases/databases.ts";
import { findHome } from "../databases/home-store.ts";
import type { Home } from "../databases/shard-name.ts";
import { latest } from "../db/reader.ts";
import { workspaceOfShare } from "./store.ts";

/** Where a share link's workspace lives. */
interface ShareHome {
  readonly home: Home;
  readonly workspaceId: string;
}

/**
 * Where the workspace of a share lives that was made in a database; null where no database has the share. A link of a
 * workspace that has moved since, and whose rows are not there any more, is looked for in every database: only links that
 * this service has signed come here.
 */
export async function findShare(
  databases: Databases,
  madeAt: Home,
  shareId: string,
): Promise<ShareHome | null> {
  const db = databaseOf(databases, madeAt);
  const made = db === null ? null : await workspaceOfShare.first(latest(db), { shareId });
  const found = made === null ? await findAnywhere(databases, shareId) : { ...made, home: madeAt };
  if (found === null) return null;
  const home = await findHome(databases, found.home, found.workspaceId);
  return home === null ? null : { ...found, home };
}

async function findAnywhere(databases: Databases, shareId: string): Promise<ShareHome | null> {
  const rows = await Promise.all(
    everyDatabase(databases).map(async ({ home, db }) => {
      const row = await workspaceOfShare.first(latest(db), { shareId });
      return row === null ? null : { ...row, home };
    }),
  );
  return rows.find((row) => row !== null) ?? null;
}
