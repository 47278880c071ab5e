import type { Context } from "hono";
import { CLIENT_WINDOWS, type ClientWindow, type RouteFamily } from "#api/limits.ts";
import { hmacSha256Hex } from "#platform/crypto/hashing.ts";
import { clientNetworks } from "./client-network.ts";
import type { AppEnv } from "./context.ts";
import { countRequest, refuseExhaustedWindow } from "./rate-limit.ts";

/** Stands for the client's address where the platform gives none, as on a laptop. */
const UNKNOWN_ADDRESS = "unknown";

/** The client's address as the platform gives it. Only its own header is trusted: a client can write any other. */
export const clientAddress = (c: Context<AppEnv>): string =>
  c.req.header("CF-Connecting-IP") ?? UNKNOWN_ADDRESS;

const subjectOf = (secret: string, prefix: string): Promise<string> =>
  hmacSha256Hex(secret, `network:${prefix}`);

/** Counts a request without key or session in its route family by its network, as a hash. 429 when full. */
export async function countNetwork(c: Context<AppEnv>, secret: string, family: RouteFamily): Promise<void> {
  await countRequest(c, family, await subjectOf(secret, clientNetworks(clientAddress(c)).network));
}

/**
 * Counts it in further windows, of its network and of the wider prefixes around it; 429 in the first that is full. They
 * are listed and counted from narrow to wide: a network whose own window is full takes nothing from its neighbours'.
 * Nothing is counted while one of them is known to be exhausted. With `about`, only requests about the same thing count.
 */
export async function countClient(
  c: Context<AppEnv>,
  secret: string,
  windows: readonly ClientWindow[],
  about = "",
): Promise<void> {
  const networks = clientNetworks(clientAddress(c));
  const counted = [];
  for (const window of windows) {
    const prefix = networks[CLIENT_WINDOWS[window].by];
    if (prefix !== null) counted.push({ window, subject: about + (await subjectOf(secret, prefix)) });
  }
  for (const { window, subject } of counted) refuseExhaustedWindow(c, window, subject);
  for (const { window, subject } of counted) await countRequest(c, window, subject, false);
}
