import type { Context } from "hono";
import { hmacSha256Hex } from "../platform/hashing.ts";
import { networkOf } from "./client-network.ts";
import type { AppEnv } from "./context.ts";
import { countRequest } from "./rate-limit.ts";
import { requireCapability } from "./require-capability.ts";

/** Stands for the client's address where the platform gives none, as on a laptop. */
const UNKNOWN_ADDRESS = "unknown";

/** Counts a request of nobody known by its network, of which only a hash is kept. 429 when the window is full. */
export async function countNetwork(c: Context<AppEnv>, family: "sign-up" | "sign-in"): Promise<void> {
  const { secret } = requireCapability(c, "accounts");
  // Only the platform's own header is trusted: a client can write any other.
  const network = networkOf(c.req.header("CF-Connecting-IP") ?? UNKNOWN_ADDRESS);
  await countRequest(c, family, await hmacSha256Hex(secret, `network:${network}`));
}

/**
 * Counts a guess for an address, whether it has an account or not. After the network, so that one whose window is
 * full does not fill the address's.
 */
export async function countEmail(c: Context<AppEnv>, email: string): Promise<void> {
  const { secret } = requireCapability(c, "accounts");
  await countRequest(c, "sign-in-email", await hmacSha256Hex(secret, `email:${email}`), false);
}
