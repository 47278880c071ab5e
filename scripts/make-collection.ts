/** Writes the collection for API clients, which follows from schema/openapi.json. `--check` only compares. */
import { readFile, writeFile } from "node:fs/promises";
import { postmanCollection } from "./docs/postman-collection.ts";
import { readCheckOption } from "./local/check-option.ts";
import { Failure, runScript } from "./local/failure.ts";
import { inRoot } from "./local/paths.ts";
import { readApiDescription } from "./site/openapi.ts";

const PATH = "docs/collection/creative-packs.postman_collection.json";

await runScript(async () => {
  const text = `${JSON.stringify(postmanCollection(await readApiDescription()), null, 2)}\n`;
  if (!readCheckOption()) return writeFile(inRoot(PATH), text);
  const present = await readFile(inRoot(PATH), "utf8").catch(() => null);
  if (present !== text) throw new Failure(`Out of date: ${PATH}. Run: npm run collection`);
});
