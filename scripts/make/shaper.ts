/**
 * Writes src/renderer/type/shaper.wasm: HarfBuzz as compiled in harfbuzzjs, with a budget of work. Run: npm run shaper
 *
 * `--check` changes nothing and fails if the committed file differs.
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
