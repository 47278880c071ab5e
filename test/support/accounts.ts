import { env } from "cloudflare:workers";
import { cookieNameOf } from "#domains/accounts/sign-in/session-cookie.ts";
import { newId } from "#platform/ids.ts";
import { execute } from "./database.ts";
import { type SeededAccount, seedAccount } from "./seed-account.ts";
import { type Answer, type Call, call } from "./workspace.ts";

/** Accounts, and requests with their cookie. */

/** The origin of test requests and of the service's pages. */
export const ORIGIN = "https://packs.example";

export const PASSWORD = "correct horse battery";
/** An unused address. */
export const newEmail = (): string => `${newId()}@accounts.example`;

let networks = 0;

/**
 * Headers of a client in its own network and allocation (/32), so that its requests count towards no other test's rate
 * limit.
 */
export function fromOwnNetwork(): Record<string, string> {
  networks += 1;
  return { Origin: ORIGIN, "CF-Connecting-IP": `2a00:${networks.toString(16)}::1` };
}

/** The cookies that a response sets, as a Cookie header, without the cookies that it clears. */
export const cookieOf = (answer: Answer): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0] ?? "")
    .filter((pair) => !pair.endsWith("="))
    .join("; ");

export const signUp = (email: string, password = PASSWORD, headers = fromOwnNetwork()): Promise<Answer> =>
  call("POST", "/api/account/sign-up", { headers, body: { name: "Ada", email, password } });

export const signIn = (email: string, password = PASSWORD, headers = fromOwnNetwork()): Promise<Answer> =>
  call("POST", "/api/account/sign-in", { headers, body: { email, password } });

/** A request with the account's cookie, as the service's pages send it. */
export const callAs = (
  account: { readonly cookie: string },
  method: string,
  path: string,
  { headers, ...sent }: Omit<Call, "secret"> = {},
): Promise<Answer> =>
  call(method, path, {
    ...sent,
    headers: { Origin: ORIGIN, Cookie: account.cookie, ...headers },
  });

/** A new signed-in account with its first workspace. */
export const createAccount = (expiresAt?: number): Promise<SeededAccount> =>
  seedAccount({
    db: env.DB,
    secret: env.AUTH_SECRET ?? "",
    cookieName: cookieNameOf(ORIGIN),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });

/** The stored form of PASSWORD with a salt of zeros. Computed by OpenSSL: scrypt with N=16384, r=8, p=5, 32 bytes. */
export const PASSWORD_HASH = `scrypt$16384$8$5$${"00".repeat(16)}$8cbee8bd19155c7894c9157b9dc85e74f893360cd2d9f5589d8e7f78c92511fd`;

/** A new account whose password is PASSWORD, created without the cost of hashing. */
export async function createPasswordAccount(): Promise<SeededAccount> {
  const account = await createAccount();
  await env.DB.prepare(
    `INSERT INTO account_credentials
       (credential_id, account_id, provider_id, provider_account_id, password_hash, created_at, updated_at)
     VALUES (?1, ?1, 'credential', ?1, ?2, 1, 1)`,
  )
    .bind(account.accountId, PASSWORD_HASH)
    .run();
  return account;
}

/** Adds an account to a workspace, without an invitation. */
export async function addMember(
  workspaceId: string,
  accountId: string,
  role: "owner" | "member",
): Promise<void> {
  await execute`INSERT INTO workspace_members (workspace_id, account_id, role, created_at)
    VALUES (${workspaceId}, ${accountId}, ${role}, ${Date.now()})`;
}
