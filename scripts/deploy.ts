/** Sends the worker to Cloudflare, its database first: npm run deploy [-- wrangler's options] */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Failure, runScript } from "./local/failure.ts";
import { inRoot, ROOT } from "./local/paths.ts";
import { toolEnvironment, toolPath } from "./local/tool.ts";
import { makeDocsAssets } from "./make-docs.ts";

/** The id that wrangler.toml is published with; no database has it. */
const NO_DATABASE = "00000000-0000-0000-0000-000000000000";

/** Runs wrangler in sight of the operator, who may be asked to confirm. */
function wrangler(purpose: string, ...parameters: readonly string[]): void {
  console.log(`\n${purpose}`);
  const { status } = spawnSync(toolPath("wrangler"), parameters, {
    cwd: ROOT,
    env: toolEnvironment(),
    stdio: "inherit",
  });
  if (status !== 0) throw new Failure(`${purpose} failed. Nothing after it was done.`);
}

await runScript(async () => {
  if (readFileSync(inRoot("wrangler.toml"), "utf8").includes(NO_DATABASE)) {
    throw new Failure(
      "wrangler.toml names no database yet. Run `npx wrangler d1 create creative-packs` and put the\n" +
        "database_id it prints into wrangler.toml. README.md, Deploy, has the other steps.",
    );
  }
  await makeDocsAssets();
  // First the tables: the running worker does with new columns, the new one not without them.
  wrangler("Migrating the database", "d1", "migrations", "apply", "DB", "--remote");
  wrangler("Deploying the worker", "deploy", ...process.argv.slice(2));
});
