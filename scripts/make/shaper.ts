/**
 * Writes src/renderer/type/shaper.wasm: HarfBuzz as harfbuzzjs compiles it, with a budget of work. Run: npm run shaper
 *
 * `--check` changes nothing and fails when the committed file is not what the package gives.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { readCheckOption } from "../local/check-option.ts";
import { runScript } from "../local/failure.ts";
import { metered } from "./shaper/metered.ts";

const isCheck = readCheckOption();
const SOURCE = "node_modules/harfbuzzjs/dist/harfbuzz.wasm";
const MADE = "src/renderer/type/shaper.wasm";

await runScript(async () => {
  const module = metered(readFileSync(SOURCE), "fuel");
  if (isCheck) {
    if (Buffer.compare(readFileSync(MADE), module) !== 0)
      throw new Error(`Not what harfbuzzjs gives: ${MADE}. Run npm run shaper.`);
    return;
  }
  writeFileSync(MADE, module);
  console.log(`${MADE} ${module.length} bytes`);
});
