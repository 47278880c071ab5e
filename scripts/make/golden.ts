/**
 * Compares the goldens with the current rendering and shows changes side by side: npm run golden
 *
 * `--update` accepts the changes; without it the script fails if there are any.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { FAMILIES } from "#renderer/index.ts";
import { drawGoldens, GOLDEN_FOLDER, readSignatures } from "../../test/golden/draw-goldens.ts";
import { distanceBetween, isSameLook, type Signature, signatureOf } from "../../test/golden/signature.ts";
import { Failure, runScript } from "../local/failure.ts";
import { inRoot } from "../local/paths.ts";
import { type Change, writeComparison } from "./golden/comparison.ts";

const THUMBNAIL_EDGE_PX = 420;
const THUMBNAIL_QUALITY = 72;

const thumbnails = join(GOLDEN_FOLDER, "thumbnails");
const output = inRoot("golden-output");

await runScript(async () => {
  const { values } = parseArgs({ options: { update: { type: "boolean" } } });
  const accepted = await readAccepted();
  const now: Record<string, Signature> = {};
  const changes: Change[] = [];
  let drawn = 0;
  for (const family of FAMILIES) {
    for (const { golden, bytes } of await drawGoldens(family)) {
      const signature = await signatureOf(bytes);
      now[golden.name] = signature;
      drawn += 1;
      const before = accepted[golden.name];
      const distance = before === undefined ? null : distanceBetween(before, signature);
      if (distance !== null && isSameLook(distance)) continue;
      const thumbnail = await readFile(join(thumbnails, `${golden.name}.webp`)).catch(() => null);
      changes.push({
        name: golden.name,
        sizeId: golden.sizeId,
        distance,
        before: thumbnail,
        after: await thumbnailOf(bytes),
      });
    }
  }
  if (changes.length > 0) await writeComparison(output, changes);
  const lines = changes.map(({ name, distance }) =>
    distance === null
      ? `${name}: new`
      : `${name}: ${distance.bits} bits of structure, ${distance.colour.toFixed(1)} of colour`,
  );
  if (values.update === true) {
    await accept(now, changes);
    console.log(`${drawn} drawn, ${changes.length} accepted\n${lines.join("\n")}`);
    return;
  }
  if (changes.length > 0) {
    throw new Failure(
      `${changes.length} of ${drawn} changed: see golden-output/index.html or golden-output/changes.png\n${lines.join("\n")}`,
    );
  }
  console.log(`${drawn} drawn, all as accepted`);
});

/** Empty if no golden has been accepted yet. */
async function readAccepted(): Promise<Readonly<Record<string, Signature>>> {
  const isThere = existsSync(join(GOLDEN_FOLDER, "signatures.json"));
  return isThere ? readSignatures() : {};
}

function thumbnailOf(bytes: Uint8Array): Promise<Buffer> {
  return sharp(bytes)
    .resize({ width: THUMBNAIL_EDGE_PX, height: THUMBNAIL_EDGE_PX, fit: "inside", withoutEnlargement: true })
    .webp({ quality: THUMBNAIL_QUALITY, effort: 6 })
    .toBuffer();
}

/** Accepts the changes. Writes only the signatures and thumbnails of changed images. */
async function accept(now: Readonly<Record<string, Signature>>, changes: readonly Change[]): Promise<void> {
  await mkdir(thumbnails, { recursive: true });
  const accepted = await readAccepted();
  const changed = new Set(changes.map((change) => change.name));
  const kept = Object.fromEntries(
    Object.entries(now).map(([name, signature]) => [
      name,
      changed.has(name) ? signature : (accepted[name] ?? signature),
    ]),
  );
  for (const { name, after } of changes) await writeFile(join(thumbnails, `${name}.webp`), after);
  for (const name of Object.keys(accepted)) {
    if (!(name in now)) await rm(join(thumbnails, `${name}.webp`), { force: true });
  }
  await writeFile(join(GOLDEN_FOLDER, "signatures.json"), `${JSON.stringify(kept, null, 2)}\n`);
}
