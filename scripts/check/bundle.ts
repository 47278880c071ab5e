import { runTool, WRANGLER_ENVIRONMENT } from "../local/tool.ts";
import { bad, type Check, good } from "./check.ts";

/** Cloudflare's free plan allows 3 MB compressed. The stricter reading is 3,000,000 bytes. */
const GZIP_BYTES_MAX = 3_000_000;

/** Builds the bundle of `npm run deploy` and checks its size. */
export const checkBundle: Check = {
  name: "worker bundle",
  run: async () => {
    const { code, output } = await runTool(
      "wrangler",
      ["deploy", "--dry-run", "--outdir", "dist/worker"],
      WRANGLER_ENVIRONMENT,
    );
    const kibibytes = /gzip: ([\d.]+) KiB/.exec(output)?.[1];
    if (code !== 0 || kibibytes === undefined) return bad(output.trim());
    const bytes = Math.round(Number(kibibytes) * 1024);
    const weight = `${(bytes / 1e6).toFixed(2)} MB compressed, at most ${GZIP_BYTES_MAX / 1e6} MB`;
    return bytes <= GZIP_BYTES_MAX ? good(weight) : bad(weight);
  },
};
