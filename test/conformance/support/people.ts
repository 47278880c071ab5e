import { mirrorPeople } from "#domains/accounts/members/copy-members-to-shard.ts";
import type { Databases, NamedDatabase } from "#platform/databases/databases.ts";
import { DIRECTORY } from "#platform/databases/shard-name.ts";
import { type SeededAccount, seedAccount } from "../../support/seed-account.ts";
import { type Answer, type Call, send } from "./client.ts";
import { OPERATIONS, type Operation } from "./openapi.ts";
import { SECRETS, type Service } from "./service.ts";

/** Signed-in accounts, and requests as the service's pages send them. */

export type Person = SeededAccount;

/** Name of the session cookie without TLS. */
const COOKIE_NAME = "cp_session";

/** An account, by default with a confirmed address. */
export async function seedPerson({ databases }: Service, { isEmailConfirmed = true } = {}): Promise<Person> {
  const [directory, ...shards] = databases;
  if (directory === undefined) throw new Error("a service without a database");
  const { db } = directory;
  const person = await seedAccount({
    ...{ db, secret: SECRETS.AUTH_SECRET, cookieName: COOKIE_NAME, isEmailConfirmed },
  });
  const shard = shards[placed % Math.max(1, shards.length)];
  placed += 1;
  if (shard !== undefined) {
    // The workspace has no rows to move. `mirrorPeople` creates it on its shard.
    const move = "UPDATE workspaces SET home = ?2, people_revision = 1 WHERE workspace_id = ?1";
    await db.prepare(move).bind(person.workspaceId, shard.home).run();
    await mirrorPeople({ directory: db, shards: shardsOf(shards) }, person.workspaceId, Date.now());
  }
  return person;
}

let placed = 0;

const shardsOf = (databases: readonly NamedDatabase[]): Databases["shards"] =>
  new Map(databases.flatMap(({ home, db }) => (home === DIRECTORY ? [] : [[home, db] as const])));

export const sendAs = (
  service: Service,
  person: { readonly cookie: string },
  method: string,
  path: string,
  call: Call = {},
): Promise<Answer> =>
  send(service, method, path, {
    ...call,
    headers: { Origin: service.origin, Cookie: person.cookie, ...call.headers },
  });

/** Every operation under /api/account. */
export const ACCOUNT_OPERATIONS = OPERATIONS.filter(({ path }) => path.startsWith("/api/account/"));

/** A path of the operation, with `id` for each id and GitHub as the provider. */
export const pathOf = ({ path }: Operation, id: string): string =>
  path.replace("{provider}", "github").replace(/\{[^}]+\}/g, id);
