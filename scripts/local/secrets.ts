import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { inRoot } from "./paths.ts";

/** The secrets that the worker needs; `npm run deploy` names the same ones. */
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
 * Gives this machine its own random secrets in .dev.vars, which git ignores and wrangler reads.
 * Values that are there stay: keys made under them would stop working otherwise.
 */
export async function ensureLocalSecrets(): Promise<void> {
  const present = existsSync(path) ? readFileSync(path, "utf8") : "";
  const missing = SECRET_NAMES.filter((name) => !new RegExp(`^${name}=`, "m").test(present));
  if (missing.length === 0) return;
  // Base64 of the very bytes is what the encryption key is read as; for the others any text of that strength does.
  const lines = missing.map((name) => `${name}=${randomBytes(SECRET_BYTES).toString("base64")}\n`).join("");
  if (present === "") await writeFile(path, lines, { mode: 0o600 });
  else await appendFile(path, present.endsWith("\n") ? lines : `\n${lines}`);
}

/** Whether .dev.vars gives a variable a value. */
export function isSetLocally(name: string): boolean {
  const present = existsSync(path) ? readFileSync(path, "utf8") : "";
  return new RegExp(`^${name}=.`, "m").test(present);
}
