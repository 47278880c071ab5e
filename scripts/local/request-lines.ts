import { Transform } from "node:stream";

/** As wrangler writes them: `[wrangler:info] GET /api/v1/downloads/… 200 OK (28ms)`. */
const REQUEST_LINE = /^\[wrangler:info\] [A-Z]+ \//;

/**
 * Passes text on without wrangler's own line a request: it tells the address, and a download link's address is the
 * permission itself. The worker logs each request in its own words.
 */
export function withoutRequestLines(): Transform {
  let rest = "";
  const kept = (lines: readonly string[]): string =>
    lines
      .filter((line) => !REQUEST_LINE.test(line))
      .map((line) => `${line}\n`)
      .join("");
  return new Transform({
    decodeStrings: false,
    transform(chunk, _encoding, done) {
      const lines = (rest + String(chunk)).split("\n");
      rest = lines.pop() ?? "";
      done(null, kept(lines));
    },
    flush(done) {
      done(null, rest === "" ? "" : kept([rest]));
    },
  });
}
