import type { Context } from "hono";
import { refuse } from "#api/errors.ts";
import { type ClientWindow, LIMITS } from "#api/limits.ts";
import { isDeviceOf } from "#domains/accounts/sign-in/known-devices.ts";
import { createSlots } from "#platform/concurrency/semaphore.ts";
import { hmacSha256Hex } from "#platform/crypto/hashing.ts";
import { countClient, countNetwork } from "./client-network.ts";
import type { AppEnv } from "./context.ts";
import { finishAfterDisconnect } from "./context.ts";
import { RefusedRequest } from "./envelope.ts";
import { publicOrigin } from "./origin.ts";
import { countRequest } from "./rate-limit.ts";
import { requireCapability } from "./require-capability.ts";

/** Windows in addition to the route family's, from narrow to wide. */
const WINDOWS: Readonly<Record<"sign-up" | "sign-in" | "password-reset", readonly ClientWindow[]>> = {
  "sign-up": ["sign-up-day", "sign-up-site-day", "sign-up-allocation-day"],
  "sign-in": ["sign-in-site", "sign-in-allocation"],
  "password-reset": ["sign-in-site", "sign-in-allocation"],
};

/** Counts a sign-up, sign-in or password reset by the client's networks. 429 when a window is full. */
export async function countLogin(c: Context<AppEnv>, family: keyof typeof WINDOWS): Promise<void> {
  const { secret } = requireCapability(c, "accounts");
  await countNetwork(c, secret, family);
  await countClient(c, secret, WINDOWS[family]);
}

/**
 * Counts a password attempt by email address, with or without an account. Call after `countLogin`, so that requests
 * beyond a network's limit do not count against the address.
 */
export async function countPasswordAttempt(c: Context<AppEnv>, email: string): Promise<void> {
  const { secret } = requireCapability(c, "accounts");
  await countRequest(c, "sign-in-email", await hmacSha256Hex(secret, `email:${email}`), false);
}

/**
 * Counts an email that a client requests for an address, with or without an account: by address and network, and by
 * address alone. 429 when a window is full. Not counted in a browser where the address's account has signed in before,
 * so that strangers cannot use up the owner's limit.
 */
export async function countAddressMail(c: Context<AppEnv>, email: string): Promise<void> {
  const { secret, db } = requireCapability(c, "accounts");
  if (await isDeviceOf(db, publicOrigin(c), c.req.header("Cookie") ?? "", email)) return;
  const subject = await hmacSha256Hex(secret, `mail:${email}`);
  await countClient(c, secret, ["mail-address-site", "mail-address-allocation"], `${subject}:`);
  await countRequest(c, "mail-address", subject, false);
}

/** Counts an emailed invitation by account and recipient, and in `countMailToOthers`. 429 when a window is full. */
export async function countInvitationMail(c: Context<AppEnv>, email: string): Promise<void> {
  const { secret } = requireCapability(c, "accounts");
  const { accountId } = c.get("session");
  await countRequest(c, "recipient-mail", await hmacSha256Hex(secret, `mail:${accountId}:${email}`), false);
  await countMailToOthers(c, accountId);
}

/**
 * Counts an email to other people by workspace, and by the account that sends it or owns the workspace, if any. 429
 * when either is full.
 */
export async function countMailToOthers(c: Context<AppEnv>, accountId: string | null): Promise<void> {
  if (accountId !== null) await countRequest(c, "account-mail", accountId, false);
  await countRequest(c, "workspace-mail", c.get("workspace").workspaceId, false);
}

/**
 * Time after which a slot is free again: longer than a hashing request can run, including after its client disconnects.
 */
const HELD_MS_MAX = 30_000;

/** Retry-After of a refused request: by then, running hashes have finished. */
const RETRY_AFTER_MS = 2_000;

const slots = createSlots(LIMITS.passwordRequestsAtOnceMax, HELD_MS_MAX);

/**
 * Runs work that hashes passwords in one of the isolate's slots; 429 SIGN_IN_BUSY if none is free. Each hash blocks the
 * isolate's one thread for 0.2 s, so a queue of them would block every other request. The work continues after a
 * disconnect, so that it releases its slot.
 */
export async function withPasswordSlot<T>(c: Context<AppEnv>, work: () => Promise<T>): Promise<T> {
  const release = slots.take(c.var.nowMs);
  if (release === null) {
    throw new RefusedRequest({
      ...refuse("SIGN_IN_BUSY", "Too many sign-ins are in progress."),
      retryAfterSeconds: RETRY_AFTER_MS / 1_000,
      fullWindow: {
        limit: LIMITS.passwordRequestsAtOnceMax,
        resetsAtMs: c.var.nowMs + RETRY_AFTER_MS,
      },
    });
  }
  return finishAfterDisconnect(c, work().finally(release));
}
