/** Writes the overview sheets in docs/ and the Studio's first image: npm run gallery:docs */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drawAll } from "./gallery/draw-all.ts";
import type { Drawing } from "./gallery/draw-messages.ts";
import { brandPacks, lookPacks } from "./gallery/look-packs.ts";
import { drawStrip } from "./gallery/moving-packs.ts";
import { comparedRows, OVERVIEW_ROWS, overviewRows, writeOverviewSheet } from "./gallery/overview-sheet.ts";
import type { GalleryPack } from "./gallery/packs.ts";
import { WELCOME_SIZES, writeWelcomePicture } from "./gallery/welcome-picture.ts";
import { Failure, runScript } from "./local/failure.ts";
import { inRoot } from "./local/paths.ts";

/** Two packs in a few sizes. */
const SHEETS = [
  { family: "campaign", look: "classic", file: "docs/gallery-campaign.png" },
  { family: "product", look: "retail", file: "docs/gallery-product.png" },
] as const;
/** Eight brands next to each other, and seven looks of one brand. */
const BRAND_SIZES = ["meta-feed-1080x1080", "linkedin-1200x628"];
const LOOK_SIZES = ["iab-300x250"];
const STRIP_SIZES = ["iab-728x90", "iab-970x250", "iab-320x50", "gads-300x600"];
const WELCOME_BRAND = "strada";
const WELCOME_FILE = "studio/src/session/welcome-pack.webp";

/** One film strip per row. */
const strips = (folder: string, packs: readonly GalleryPack[], sizeIds: readonly string[]) =>
  Promise.all(packs.flatMap((pack) => sizeIds.map((sizeId) => drawStrip(folder, pack, sizeId))));

const drawn = (outcomes: Awaited<ReturnType<typeof drawAll>>[number]): readonly Drawing[] =>
  outcomes.map((outcome) => {
    if (!outcome.ok) throw new Failure(`${outcome.sizeId}: ${outcome.code}: ${outcome.message}`);
    return outcome;
  });

await runScript(async () => {
  const folder = await mkdtemp(join(tmpdir(), "gallery-"));
  const draw = async (packs: readonly GalleryPack[], sizeIds: readonly string[]) => {
    const requests = packs.map((pack) => ({ pack, folder, bannerFormat: "png", sizeIds }) as const);
    return (await drawAll(requests, 2, () => {})).map(drawn);
  };
  try {
    for (const { family, look, file } of SHEETS) {
      const pack = lookPacks().filter((one) => one.family === family && one.look === look);
      const [drawings = []] = await draw(pack, OVERVIEW_ROWS.flat());
      await writeOverviewSheet(folder, overviewRows(drawings), inRoot(file));
      console.log(file);
    }
    const brands = await draw(brandPacks(), BRAND_SIZES);
    await writeOverviewSheet(folder, comparedRows(brands, BRAND_SIZES, 4), inRoot("docs/gallery-brands.png"));
    console.log("docs/gallery-brands.png");
    const products = lookPacks().filter(({ family }) => family === "product");
    const looks = await draw(products, LOOK_SIZES);
    await writeOverviewSheet(folder, comparedRows(looks, LOOK_SIZES, 4), inRoot("docs/gallery-looks.png"));
    console.log("docs/gallery-looks.png");
    const faces = lookPacks().filter(({ family }) => family === "campaign");
    await writeOverviewSheet(
      folder,
      await strips(folder, faces, LOOK_SIZES),
      inRoot("docs/gallery-motion.png"),
    );
    const retail = products.filter(({ look }) => look === "retail");
    const sizes = await strips(folder, retail, STRIP_SIZES);
    await writeOverviewSheet(folder, sizes, inRoot("docs/gallery-motion-sizes.png"));
    const welcome = brandPacks().filter(({ name }) => name === WELCOME_BRAND);
    const [pack = []] = await draw(welcome, WELCOME_SIZES);
    await writeWelcomePicture(folder, pack, inRoot(WELCOME_FILE));
    console.log(WELCOME_FILE);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
