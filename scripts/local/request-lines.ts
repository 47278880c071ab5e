import { Transform } from "node:stream";

/** In wrangler's format: `[wrangler:info] GET /api/v1/downloads/… 200 OK (28ms)`. */
const REQUEST_LINE = /^\[wrangler:info\] [A-Z]+ \//;

/**
 * Removes wrangler's own request lines from its output, because the URL of a download link grants access. The worker
 * logs requests itself.
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
