import { readVariable } from "./environment.ts";
import { CreativePacksError } from "./errors.ts";
import type { LogLevel } from "./log-line.ts";
import { LOG_LEVELS } from "./logger.ts";
import type { ClientOptions, Settings } from "./options.ts";

const DEFAULT_RETRIES = 2;
const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_BACKOFF_MS = { first: 500, longest: 8_000 };
/** Slightly longer than the service's rate-limit windows of one minute. */
const DEFAULT_RETRY_WAIT_MS_MAX = 65_000;

/** A URL without a trailing slash. Throws if it is invalid. */
function readBaseUrl(given: string | undefined): string {
  const text = given ?? readVariable("CREATIVE_PACKS_BASE_URL");
  if (text === undefined) {
    throw new CreativePacksError(
      "There is no address to call: give `baseUrl`, or set CREATIVE_PACKS_BASE_URL.",
    );
  }
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new CreativePacksError(
      `\`baseUrl\` must be an address such as https://packs.example, not \`${text}\`.`,
    );
  }
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`.replace(/\/+$/, "");
}

/** Reads the API key. Null only if the caller passed null; a missing key throws at once. */
function readApiKey(given: string | null | undefined): string | null {
  if (given === null) return null;
  const key = given ?? readVariable("CREATIVE_PACKS_API_KEY");
  if (key === undefined) {
    throw new CreativePacksError(
      "There is no API key: give `apiKey`, or set CREATIVE_PACKS_API_KEY. `apiKey: null` calls without one.",
    );
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new CreativePacksError(
      "`apiKey` holds characters that no key has: check that it was copied whole.",
    );
  }
  return key;
}

/**
 * The configured level; null if there is none. An invalid environment variable is ignored, so that it cannot stop the
 * program.
 */
function readLogLevel(given: LogLevel | undefined): LogLevel | null {
  const named = given ?? readVariable("CREATIVE_PACKS_LOG");
  const known = LOG_LEVELS.find((level) => level === named);
  if (known !== undefined || given === undefined) return known ?? null;
  throw new CreativePacksError(`\`logLevel\` must be one of ${LOG_LEVELS.join(", ")}, not \`${given}\`.`);
}

function wholeNumber(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new CreativePacksError(`\`${name}\` must be a whole number of at least ${least}, not ${value}.`);
}

/** Reads the options of a client and the environment. Throws a `CreativePacksError` that says what is wrong. */
export function readSettings(options: ClientOptions): Settings {
  const {
    maxRetries = DEFAULT_RETRIES,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    retryWaitMsMax = DEFAULT_RETRY_WAIT_MS_MAX,
    backoffMs = DEFAULT_BACKOFF_MS,
  } = options;
  const logLevel = readLogLevel(options.logLevel);
  return {
    apiKey: readApiKey(options.apiKey),
    baseUrl: readBaseUrl(options.baseUrl),
    maxRetries: wholeNumber("maxRetries", maxRetries, 0),
    timeoutMs: wholeNumber("timeoutMs", timeoutMs, 1),
    backoffMs,
    retryWaitMsMax,
    // Wrapped, because some platforms reject `fetch` called with another `this`.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    headers: options.headers ?? {},
    logger: options.logger === undefined ? (logLevel === null ? null : console) : options.logger,
    logLevel: logLevel ?? "info",
  };
}
