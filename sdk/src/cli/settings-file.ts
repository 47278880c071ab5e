import { chmod, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseRecord } from "../read-answer.ts";
import { UsageError } from "./usage-error.ts";
import { writeWhole } from "./write-whole.ts";

/** The stored login: a service and its key. */
export interface SavedLogin {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Readable and writable by the owner only. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const OTHERS = 0o077;

/** The system's folder for user settings. */
function settingsFolder(env: NodeJS.ProcessEnv): string {
  if (process.platform === "win32") return env.APPDATA ?? join(homedir(), "AppData", "Roaming");
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support");
  return env.XDG_CONFIG_HOME || join(homedir(), ".config");
}

/** Path of the stored login. */
export const loginPath = (env: NodeJS.ProcessEnv): string =>
  join(settingsFolder(env), "creative-packs", "login.json");

/** Stores a login in a file that only its owner can read. Replaces an earlier one atomically. */
export async function saveLogin(path: string, login: SavedLogin): Promise<void> {
  await mkdir(join(path, ".."), { recursive: true, mode: FOLDER_MODE });
  await writeWhole(path, async (part) => {
    await writeFile(part, `${JSON.stringify(login, null, 2)}\n`, { mode: FILE_MODE, flag: "wx" });
    // The process's umask may have removed bits of the mode.
    await chmod(part, FILE_MODE);
  });
}

/** Deletes the stored login. Returns whether there was one. */
export async function deleteLogin(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  await rm(path, { force: true });
  return found !== null;
}

/** The stored login; null without one. Throws a `UsageError` if the file is damaged or readable by others. */
export async function readLogin(path: string): Promise<SavedLogin | null> {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return null;
  const { mode } = await stat(path);
  if (process.platform !== "win32" && (mode & OTHERS) !== 0) {
    throw new UsageError(
      `${path} holds your key and others may read it. Run \`chmod 600 "${path}"\`, or \`creative-packs login\`.`,
    );
  }
  const { baseUrl, apiKey } = parseRecord(text);
  if (typeof baseUrl === "string" && typeof apiKey === "string") return { baseUrl, apiKey };
  throw new UsageError(`${path} is damaged. Run \`creative-packs login\` again.`);
}
