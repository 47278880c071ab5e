import { expect, it } from "vitest";
import { withoutRequestLines } from "../../scripts/local/request-lines.ts";

/**
 * The log of `npm run dev` contains no signed links. wrangler prints each request's path to standard output, and anyone
 * with the path of a download could fetch the file.
 */

const OURS = '{"event":"request","requestId":"é-1","operation":"downloadLink","status":200,"durationMs":1}';
const TEXT = [
  "[wrangler:info] Ready on http://127.0.0.1:8787",
  "[wrangler:info] GET /api/v1/downloads/2424727f.WyIwMWEx.rwVaw0Vjs2vK 200 OK (28ms)",
  OURS,
  "[wrangler:info] PUT /api/v1/assets/uploads/1/object 204 No Content (3ms)",
  "Error: the last line has no end",
].join("\n");

it.each([1, 7, 40, 10_000])(
  "in chunks of %d characters, all but the request lines are kept",
  async (length) => {
    const filter = withoutRequestLines().setEncoding("utf8");
    for (let start = 0; start < TEXT.length; start += length) filter.write(TEXT.slice(start, start + length));
    filter.end();
    expect((await filter.toArray()).join("")).toBe(
      `[wrangler:info] Ready on http://127.0.0.1:8787\n${OURS}\nError: the last line has no end\n`,
    );
  },
);
