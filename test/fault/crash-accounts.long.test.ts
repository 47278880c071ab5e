import { beforeAll, expect, it } from "vitest";
import { stressScale } from "../stress/scale.ts";
import {
  createPasswordAccount,
  fromOwnNetwork,
  newEmail,
  PASSWORD,
  PASSWORD_HASH,
} from "../support/accounts.ts";
import { execute, selectRow } from "../support/database.ts";
import { kindsTo, MAIL, tokenTo } from "../support/mail.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { freshStorage } from "./fresh-storage.ts";
import { type Reply, World } from "./world.ts";

/**
 * A request that fails or is killed changes an account and writes its mail completely or not at all. It can be
 * repeated.
 */

beforeAll(freshStorage);

/**
 * Long, because each request hashes one or two passwords, at 0.2 s of CPU time per hash. A whole run crashes twice as
 * often as a quick run.
 */
const TIMEOUT_MS = stressScale().isQuick ? 180_000 : 1_800_000;

const NEW_PASSWORD = "another one of four words";

const ask = (world: World, method: string, path: string, body: object, headers = {}): Promise<Reply> =>
  world.request({ method, path: `/api/account/${path}`, body, headers: { ...fromOwnNetwork(), ...headers } });

interface Scenario<T> {
  readonly arrange: (world: World) => Promise<T>;
  /** The reply of the request that may be interrupted. */
  readonly act: (world: World, arranged: T) => Promise<Reply>;
  /** Whether the change was made. Fails if only a part of it was made. */
  readonly isDone: (arranged: T) => Promise<boolean>;
  /** The user's next action if no answer arrived. */
  readonly again: (world: World, arranged: T) => Promise<unknown>;
}

/**
 * Quick runs kill the process after each call, whole runs also before it. Failing calls are tested elsewhere, because
 * every run hashes passwords, which is slow.
 */
const KINDS = stressScale().isQuick ? (["kill-after"] as const) : (["kill-before", "kill-after"] as const);

/** Runs a scenario once for each call to a binding and each crash kind. */
async function crashAtEveryCall<T>({ arrange, act, isDone, again }: Scenario<T>): Promise<void> {
  silenceLogs();
  const settings = { ...MAIL };
  const undisturbed = new World(Date.now(), settings);
  const first = await arrange(undisturbed);
  undisturbed.restart();
  expect((await act(undisturbed, first)).status).toBeLessThan(300);
  expect(await isDone(first)).toBe(true);
  const steps = undisturbed.calls.length;
  expect(steps).toBeGreaterThan(2);
  for (let step = 0; step < steps; step += 1) {
    for (const kind of KINDS) {
      const world = new World(Date.now(), settings);
      const arranged = await arrange(world);
      world.crash({ step, kind });
      const { status } = await act(world, arranged);
      const isAnswered = status < 300 && !world.isDead;
      const place = `${kind} at ${step} of ${steps}`;
      const wasDone = await isDone(arranged);
      if (isAnswered) expect(wasDone, place).toBe(true);
      world.restart();
      if (!wasDone) await again(world, arranged);
      expect(await isDone(arranged), place).toBe(true);
    }
  }
}

const accountOf = (accountId: string) =>
  selectRow<{ email: string; confirmed: number; hash: string; sessions: number; events: number }>`
    SELECT a.email, a.is_email_verified AS confirmed,
      (SELECT password_hash FROM account_credentials WHERE account_id = a.account_id) AS hash,
      (SELECT COUNT(*) FROM account_sessions WHERE account_id = a.account_id) AS sessions,
      (SELECT COUNT(*) FROM account_events WHERE account_id = a.account_id) AS events
    FROM accounts a WHERE a.account_id = ${accountId}`;

it(
  "a crashed sign-up leaves account, workspace and mail, or nothing",
  async () => {
    await crashAtEveryCall({
      arrange: async () => newEmail(),
      act: (world, email) => ask(world, "POST", "sign-up", { name: "Ada", email, password: PASSWORD }),
      isDone: async (email) => {
        const found = await selectRow<{ workspaces: number }>`SELECT COUNT(m.workspace_id) AS workspaces
        FROM accounts a LEFT JOIN workspace_members m USING (account_id) WHERE a.email = ${email} GROUP BY a.account_id`;
        const kinds = await kindsTo(email);
        if (found === null) expect(kinds).toEqual([]);
        else expect([found.workspaces, kinds]).toEqual([1, ["confirm-address"]]);
        return found !== null;
      },
      again: (world, email) => ask(world, "POST", "sign-up", { name: "Ada", email, password: PASSWORD }),
    });
  },
  TIMEOUT_MS,
);

it(
  "a crashed reset keeps password and sessions, or replaces the password and ends all sessions",
  async () => {
    const link = async (world: World, email: string) => {
      await ask(world, "POST", "password/reset", { email });
      return tokenTo(email);
    };
    const reset = (world: World, token: string) =>
      ask(world, "POST", "password/reset/confirm", { token, newPassword: NEW_PASSWORD });
    await crashAtEveryCall({
      arrange: async (world) => {
        const account = await createPasswordAccount();
        return { ...account, token: await link(world, account.email) };
      },
      act: (world, { token }) => reset(world, token),
      isDone: async ({ accountId }) => {
        const account = await accountOf(accountId);
        const isOld = account?.hash === PASSWORD_HASH;
        const whole = isOld ? [1, 0, 0] : [0, 1, 1];
        expect([account?.sessions, account?.confirmed, account?.events]).toEqual(whole);
        return !isOld;
      },
      // The link may already be used, so the user requests another.
      again: async (world, { email }) => reset(world, await link(world, email)),
    });
  },
  TIMEOUT_MS,
);

it(
  "a crashed change of address keeps the old address, or sets the new one and notifies the old address",
  async () => {
    await crashAtEveryCall({
      arrange: async (world) => {
        const account = await createPasswordAccount();
        const next = newEmail();
        const headers = { Cookie: account.cookie };
        await ask(world, "PUT", "email", { newEmail: next, password: PASSWORD }, headers);
        return { ...account, next, token: await tokenTo(next) };
      },
      act: (world, { token }) => ask(world, "POST", "email/confirm", { token }),
      isDone: async ({ accountId, email, next }) => {
        const account = await accountOf(accountId);
        const isNew = account?.email === next;
        const told = await kindsTo(email);
        expect([account?.confirmed, account?.events, told]).toEqual(
          isNew ? [1, 1, ["address-changed"]] : [0, 0, []],
        );
        return isNew;
      },
      again: (world, { token }) => ask(world, "POST", "email/confirm", { token }),
    });
  },
  TIMEOUT_MS,
);

it(
  "a session in a new browser is created together with its mail",
  async () => {
    const signIn = (world: World, email: string) =>
      ask(world, "POST", "sign-in", { email, password: PASSWORD });
    await crashAtEveryCall({
      arrange: async (world) => {
        const account = await createPasswordAccount();
        // The first request of an account sends no mail.
        world.wait(60_000);
        await execute`UPDATE accounts SET is_email_verified = 1 WHERE account_id = ${account.accountId}`;
        return account;
      },
      act: (world, { email }) => signIn(world, email),
      isDone: async ({ email }) => (await kindsTo(email)).includes("new-device"),
      again: (world, { email }) => signIn(world, email),
    });
  },
  TIMEOUT_MS,
);
