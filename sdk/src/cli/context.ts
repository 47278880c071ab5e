import { CreativePacks, type Logger, type LogLevel } from "../index.ts";
import { loginPath, readLogin } from "./settings-file.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/** Settings and output shared by all commands. */
export interface Context {
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal;
  /** The service's URL from the command line. */
  readonly url: string | null;
  /** Minimum level of request log lines. Undefined: `CREATIVE_PACKS_LOG` decides. */
  readonly logLevel: LogLevel | undefined;
}

/** Retries per call. More than the library's default, because a user would only run a failed command again. */
const RETRIES = 4;

/**
 * A client configured by the command line, the environment, or the stored login, in this order. Public calls need only
 * a URL. Throws a `UsageError` that explains how to provide what is missing.
 */
export async function connect(context: Context, needsKey = true): Promise<CreativePacks> {
  const { env, url } = context;
  const key = env.CREATIVE_PACKS_API_KEY?.trim() || null;
  const address = url ?? (env.CREATIVE_PACKS_BASE_URL?.trim() || null);
  const login = key !== null && address !== null ? null : await readLogin(loginPath(env));
  const baseUrl = address ?? login?.baseUrl ?? null;
  if (baseUrl === null) {
    throw new UsageError(
      "There is no service to call. Run `creative-packs login`, give --url, or set CREATIVE_PACKS_BASE_URL.",
    );
  }
  // A stored key is only sent to the service it was stored for.
  const kept = login !== null && isSameService(login.baseUrl, baseUrl) ? login.apiKey : null;
  const apiKey = key ?? kept;
  if (apiKey === null && needsKey) {
    throw new UsageError(
      `There is no API key for ${baseUrl}. Run \`creative-packs login --url ${baseUrl}\`, or set CREATIVE_PACKS_API_KEY.`,
    );
  }
  return new CreativePacks({ apiKey, baseUrl, maxRetries: RETRIES, ...logging(context) });
}

/** Log lines go to standard error; only results go to standard output. */
export function logging({ terminal, env, logLevel }: Pick<Context, "terminal" | "env" | "logLevel">) {
  const isWanted = logLevel !== undefined || env.CREATIVE_PACKS_LOG !== undefined;
  const write = (message: string): void => terminal.log(message);
  const logger: Logger | null = isWanted ? { debug: write, info: write, warn: write, error: write } : null;
  return { logger, logLevel };
}

const isSameService = (left: string, right: string): boolean =>
  left.replace(/\/+$/, "") === right.replace(/\/+$/, "");
