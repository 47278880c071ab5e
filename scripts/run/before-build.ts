/**
 * Runs before wrangler builds the worker ([build] in wrangler.toml) and creates what a fresh clone lacks, so that `npm
 * ci && npx wrangler dev` works. Changes only this machine. Only `wrangler dev` gets secrets and tables; a deployment
 * has its own.
 */
import { runScript } from "../local/failure.ts";
import { prepareLocally } from "../local/prepare.ts";
import { IS_PREPARED } from "../local/tool.ts";
import { makeAssets } from "../make/assets.ts";

await runScript(async () => {
  const isDevelopment = process.env.WRANGLER_COMMAND === "dev";
  if (isDevelopment && process.env[IS_PREPARED] === undefined) await prepareLocally();
  else await makeAssets();
});
