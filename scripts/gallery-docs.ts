/** Draws the two small sheets of the overview into docs/: npm run gallery:docs */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drawAll } from "./gallery/draw-all.ts";
import { packsOf } from "./gallery/looks.ts";
import { OVERVIEW_ROWS, writeOverviewSheet } from "./gallery/overview-sheet.ts";
import { Failure, runScript } from "./local/failure.ts";
import { inRoot } from "./local/paths.ts";

const SHEETS = [
  { family: "campaign", look: "photo", file: "docs/gallery-campaign.png" },
  { family: "product", look: "cut-out", file: "docs/gallery-product.png" },
] as const;

await runScript(async () => {
  const folder = await mkdtemp(join(tmpdir(), "gallery-"));
  try {
    for (const { family, look, file } of SHEETS) {
      const pack = packsOf(family).find((one) => one.look === look);
      if (pack === undefined) throw new Failure(`No ${family} pack has the look ${look}.`);
      const request = { pack, folder, bannerFormat: "png", sizeIds: OVERVIEW_ROWS.flat() } as const;
      const [outcomes = []] = await drawAll([request], 1, () => {});
      const drawings = outcomes.flatMap((outcome) => {
        if (!outcome.ok) throw new Failure(`${outcome.sizeId}: ${outcome.code}: ${outcome.message}`);
        return [outcome];
      });
      await writeOverviewSheet(folder, drawings, inRoot(file));
      console.log(file);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
