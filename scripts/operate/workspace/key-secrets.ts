import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { usableSecret } from "#platform/bindings/capabilities.ts";
import { Failure } from "../../local/failure.ts";
import { inRoot } from "../../local/paths.ts";
import { ensureLocalSecrets } from "../../local/secrets.ts";
import type { Target } from "./run-command.ts";

/** The worker's secrets for creating keys. */
export interface KeySecrets {
  readonly keyPepper: string;
  /** If null, keys get a CRC as their checksum, and still work. */
  readonly keyCheckSecret: string | null;
}

export type Source = Readonly<Record<string, string | undefined>>;

/** Prefix of the secrets' names in the operator's environment. */
const PREFIX = "CREATIVE_PACKS_";

/** The variables of a file such as .dev.vars. */
export function readEnvFile(path: string): Source {
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch (thrown) {
    throw new Failure(`${path} cannot be read: ${thrown instanceof Error ? thrown.message : thrown}`);
  }
}

/** The secrets of the target's worker. Keys made with another pepper would not work there. */
export async function readKeySecrets({ isRemote, envFile }: Target): Promise<KeySecrets> {
  if (envFile !== null) {
    return secretsIn(readEnvFile(envFile), "", `${envFile} has no KEY_PEPPER of 32 characters or more.`);
  }
  if (isRemote) {
    const advice = `Set ${PREFIX}KEY_PEPPER to the KEY_PEPPER that the deployed worker has, or give --env-file.`;
    return secretsIn(process.env, PREFIX, advice);
  }
  await ensureLocalSecrets();
  const advice = "KEY_PEPPER in .dev.vars is shorter than 32 characters: remove the line and run this again.";
  return secretsIn(readEnvFile(inRoot(".dev.vars")), "", advice);
}

function secretsIn(source: Source, prefix: string, advice: string): KeySecrets {
  return {
    keyPepper: usableSecret(source[`${prefix}KEY_PEPPER`]) ?? fail(advice),
    keyCheckSecret: usableSecret(source[`${prefix}KEY_CHECK_SECRET`]),
  };
}

const fail = (message: string): never => {
  throw new Failure(message);
};
