import type { Context } from "hono";
import type { ClientWindow } from "../contract/limits.ts";
import { hmacSha256Hex } from "../platform/hashing.ts";
import type { AppEnv } from "./context.ts";
import { countClient, countNetwork } from "./count-client.ts";
import { countRequest } from "./rate-limit.ts";
import { requireCapability } from "./require-capability.ts";

/** The windows beside the family's, from narrow to wide. */
const WINDOWS: Readonly<Record<"sign-up" | "sign-in", readonly ClientWindow[]>> = {
  "sign-up": ["sign-up-day", "sign-up-site-day", "sign-up-allocation-day"],
  "sign-in": ["sign-in-site", "sign-in-allocation"],
};

/** Counts a request by which somebody signs up or in, by the networks that it comes from. 429 when a window is full. */
export async function countStranger(c: Context<AppEnv>, family: "sign-up" | "sign-in"): Promise<void> {
  const { secret } = requireCapability(c, "accounts");
  await countNetwork(c, secret, family);
  await countClient(c, secret, WINDOWS[family]);
}

/**
 * Counts a guess for an address, whether it has an account or not. After the networks, so that one whose window is
 * full does not fill the address's.
 */
export async function countEmail(c: Context<AppEnv>, email: string): Promise<void> {
  const { secret } = requireCapability(c, "accounts");
  await countRequest(c, "sign-in-email", await hmacSha256Hex(secret, `email:${email}`), false);
}
