/** Writes the documentation site and the font library into the folder that wrangler.toml serves; run by scripts/make/assets.ts. */

import { runScript } from "../../local/failure.ts";
import { placeFiles } from "../../local/place-files.ts";
import { fontAssets } from "../fonts/font-assets.ts";
import { buildSite } from "./build-site.ts";

/** Where the site's and the library's files are; everything else in the folder is another's. */
const OWN = ["docs", "fonts", "_headers", "docs.html", "llms.txt", "llms-full.txt"];

await runScript(async () => {
  await placeFiles(new Map([...(await buildSite()), ...(await fontAssets())]), OWN);
});
