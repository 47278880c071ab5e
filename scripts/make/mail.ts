/** Writes src/domains/mail/templates.json from scripts/make/mail/: npm run mail:templates. `--check` only compares. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { readCheckOption } from "../local/check-option.ts";
import { Failure, runScript } from "../local/failure.ts";
import { inRoot } from "../local/paths.ts";

const TEMPLATES = "src/domains/mail/templates.json";

/** Expected content of the file. Node.js cannot load JSX, so the source is bundled first. */
async function templatesSource(): Promise<string> {
  const outfile = inRoot(`.cache/mail-templates-${process.pid}.mjs`);
  try {
    await build({
      entryPoints: [inRoot("scripts/make/mail/render-templates.ts")],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      jsx: "automatic",
      define: { "process.env.NODE_ENV": '"production"' },
    });
    const { default: renderTemplates } = await import(pathToFileURL(outfile).href);
    return `${JSON.stringify(await renderTemplates(), null, 2)}\n`;
  } finally {
    await rm(outfile, { force: true });
  }
}

await runScript(async () => {
  const source = await templatesSource();
  const isFresh = (await readFile(inRoot(TEMPLATES), "utf8").catch(() => null)) === source;
  if (isFresh) return;
  if (readCheckOption()) throw new Failure(`Out of date: ${TEMPLATES}. Run: npm run mail:templates`);
  await writeFile(inRoot(TEMPLATES), source);
});
