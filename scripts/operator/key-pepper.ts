import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { usableSecret } from "../../src/bindings/capabilities.ts";
import { Failure } from "../local/failure.ts";
import { inRoot } from "../local/paths.ts";
import { ensureLocalSecrets } from "../local/secrets.ts";
import type { Target } from "./read-command.ts";

const VARIABLE = "CREATIVE_PACKS_KEY_PEPPER";

function readEnvFile(path: string): string | undefined {
  try {
    return parseEnv(readFileSync(path, "utf8")).KEY_PEPPER;
  } catch (thrown) {
    throw new Failure(`${path} cannot be read: ${thrown instanceof Error ? thrown.message : thrown}`);
  }
}

/** The pepper that the target's worker hashes keys under; keys made under another would not work there. */
export async function readKeyPepper({ isRemote, envFile }: Target): Promise<string> {
  if (envFile !== null) {
    return (
      usableSecret(readEnvFile(envFile)) ?? fail(`${envFile} has no KEY_PEPPER of 32 characters or more.`)
    );
  }
  if (isRemote) {
    return (
      usableSecret(process.env[VARIABLE]) ??
      fail(`Set ${VARIABLE} to the KEY_PEPPER that the deployed worker has, or give --env-file.`)
    );
  }
  await ensureLocalSecrets();
  return (
    usableSecret(readEnvFile(inRoot(".dev.vars"))) ??
    fail("KEY_PEPPER in .dev.vars is shorter than 32 characters: remove the line and run this again.")
  );
}

const fail = (message: string): never => {
  throw new Failure(message);
};
