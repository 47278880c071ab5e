import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { CreativePacks } from "../../index.ts";
import { type Context, logging } from "../context.ts";
import { deleteLogin, loginPath, saveLogin } from "../settings-file.ts";
import { UsageError } from "../usage-error.ts";

/** Reads a key, verifies it and stores it for later commands. */
export async function login(context: Context): Promise<void> {
  const { terminal, env, signal } = context;
  const baseUrl = context.url ?? (env.CREATIVE_PACKS_BASE_URL?.trim() || null);
  if (baseUrl === null) {
    throw new UsageError(
      "Say which service the key is for: creative-packs login --url https://packs.example",
    );
  }
  const apiKey = await readKey();
  if (apiKey === "") throw new UsageError("No key was given. Paste the key, or pipe it: `login < key.txt`.");
  const client = new CreativePacks({ apiKey, baseUrl, ...logging(context) });
  const balance = await client.balance.get({ signal });
  const path = loginPath(env);
  await saveLogin(path, { baseUrl, apiKey });
  const { available } = balance.credits;
  terminal.result({ baseUrl, path, credits: available }, [
    `The key works: the workspace has ${available} credits. It is kept in ${path}, for your eyes only.`,
  ]);
}

/** Deletes the stored key. The key stays valid; revoke it at the service. */
export async function logout({ terminal, env }: Context): Promise<void> {
  const path = loginPath(env);
  const wasDeleted = await deleteLogin(path);
  terminal.result({ path, wasDeleted }, [wasDeleted ? `${path} is deleted.` : "No key was kept."]);
}

/** Read from a terminal without echo, or from a pipe. Never from the command line, which other users can see. */
async function readKey(): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) {
    let text = "";
    for await (const chunk of stdin.setEncoding("utf8")) {
      text += chunk;
      if (text.length > 10_000) break;
    }
    return text.trim();
  }
  stderr.write("API key (it is not shown): ");
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  try {
    return (await lines.question("")).trim();
  } finally {
    lines.close();
    stderr.write("\n");
  }
}
