/** Patterns of secrets that must never be in a log. Runs in Node and in workerd. */
const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  // A key's prefix with more characters than are shown to identify a key.
  "an API key": /cpk_(?:live|test|trial)_[0-9A-Za-z]{7,}/,
  "a signing secret": /whsec_/,
  "a session's cookie": /cp_(?:session|oauth_state)/,
  "an invitation's code": /cpi_/,
  "a password's hash": /scrypt\$/,
  "an email address": /[\w.+-]+@[\w-]+\.\w/,
  "a signed link's token": /\b[0-9a-f]{8}\.[\w-]{16,}\.[\w-]{16,}/,
  "an address of a download": /\/downloads\//,
  "a web address": /https?:\/\//,
  "an IPv4 address": /\b(?:\d{1,3}\.){3}\d{1,3}\b/,
  "an IPv6 address": /\b(?:[0-9a-f]{1,4}:){3,}[0-9a-f:]*/i,
  "a user agent": /Mozilla|curl\/|AppleWebKit|node-fetch|undici/i,
  "a file name": /\.(?:png|jpe?g|webp|svg|ttf|otf|gif|zip)\b/i,
  "a statement": /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b/,
  "a stack": /\bat \S+ \(|\.ts:\d/,
  "an object's key": /workspaces\//,
  "a hash of 256 bits": /\b[0-9a-f]{64}\b/,
};

/** Stack frames in a log line: function names and positions in the code. */
const FRAMES = /"frames":\[(?:"[\w$.<> ]{0,60} ?[\w.-]+:\d+:\d+",?)*\]/;

/** Forbidden contents of a text: matches of the patterns, and texts of `known`. */
export function secretsIn(text: string, known: readonly string[] = []): readonly string[] {
  const withoutFrames = text.replace(FRAMES, "");
  const looks = Object.entries(FORBIDDEN)
    .filter(([, pattern]) => pattern.test(withoutFrames))
    .map(([name]) => name);
  return [...looks, ...known.filter((secret) => secret !== "" && text.includes(secret))];
}

/** Credentials, which give access to anyone who reads them. No output may contain one, not even a test's. */
const CREDENTIALS = [
  "an API key",
  "a session's cookie",
  "an invitation's code",
  "a signed link's token",
  "an address of a download",
];

/** The kinds of credentials in a text. */
const credentialsIn = (text: string): readonly string[] =>
  secretsIn(text).filter((name) => CREDENTIALS.includes(name));

/** Whether a text is meant as one of our lines: an object with `event`. */
const isEventLine = (text: string): boolean => /^\s*\{.*"event"\s*:/s.test(text);

/** All faults of a logged text: forbidden contents, or a line of ours with unknown members. */
export function faultsIn(text: string): readonly string[] {
  if (!isEventLine(text)) return credentialsIn(text);
  return parseLine(text) === null ? ["a line of unknown members", ...secretsIn(text)] : secretsIn(text);
}

/** Members of a line (src/platform/log/log.ts), with their types. */
const MEMBERS: Readonly<Record<string, "string" | "number" | "object">> = {
  event: "string",
  requestId: "string",
  operation: "string",
  status: "number",
  code: "string",
  durationMs: "number",
  workspaceId: "string",
  apiKeyId: "string",
  accountId: "string",
  jobId: "string",
  artifactId: "string",
  deliveryId: "string",
  mailId: "string",
  assetId: "string",
  eventId: "string",
  sizeId: "string",
  attempt: "number",
  count: "number",
  byteLength: "number",
  atMs: "number",
  errorName: "string",
  reason: "string",
  frames: "object",
  counts: "object",
};

/** The only allowed `counts`: the number of items that each sweep handled. */
const COUNTS = /^\{(?:"sweep_[a-z_]+":\d+,?)*\}$/;

export type Line = Readonly<Record<string, string | number | object>>;

/** The line as an object, or null if it is invalid JSON or has an unknown member. */
export function parseLine(text: string): Line | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof parsed !== "object" || parsed === null || !("event" in parsed)) return null;
  const line: Record<string, string | number | object> = {};
  for (const [name, value] of Object.entries(parsed)) {
    if (typeof value !== MEMBERS[name] || value === null || value === undefined) return null;
    if (name === "frames" && !FRAMES.test(`"frames":${JSON.stringify(value)}`)) return null;
    if (name === "counts" && !COUNTS.test(JSON.stringify(value))) return null;
    line[name] = value;
  }
  return text.includes("\n") ? null : line;
}
