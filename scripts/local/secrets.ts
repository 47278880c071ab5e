import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { inRoot } from "./paths.ts";

/** The worker's required secrets, which `npm run deploy` also checks. */
export const SECRET_NAMES = [
  "KEY_PEPPER",
  "KEY_CHECK_SECRET",
  "DOWNLOAD_SIGNING_KEY",
  "TRIAL_SECRET",
  "AUTH_SECRET",
  "DELIVERY_ENCRYPTION_KEY",
] as const;

const SECRET_BYTES = 32;
const path = inRoot(".dev.vars");

/**
 * Adds random secrets to .dev.vars, which git ignores and wrangler reads. Existing values stay, because keys depend on
 * them.
 */
export async function ensureLocalSecrets(): Promise<void> {
  const present = existsSync(path) ? readFileSync(path, "utf8") : "";
  const missing = SECRET_NAMES.filter((name) => !new RegExp(`^${name}=`, "m").test(present));
  if (missing.length === 0) return;
  // The encryption key is decoded from base64; other secrets can be any text of that strength.
  const lines = missing.map((name) => `${name}=${randomBytes(SECRET_BYTES).toString("base64")}\n`).join("");
  if (present === "") await writeFile(path, lines, { mode: 0o600 });
  else await appendFile(path, present.endsWith("\n") ? lines : `\n${lines}`);
}

/** Whether .dev.vars sets a variable. */
export function isSetLocally(name: string): boolean {
  const present = existsSync(path) ? readFileSync(path, "utf8") : "";
  return new RegExp(`^${name}=.`, "m").test(present);
}
