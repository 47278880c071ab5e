import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parentPort } from "node:worker_threads";
import { SIZES } from "#catalogue/sizes.ts";
import type { Size } from "#catalogue/types.ts";
import { createRenderer, type PreparedPack } from "#renderer/index.ts";
import { fontLibrary, loadBundledFonts, loadCodecModules } from "../../test/support/node-modules.ts";
import type { DrawRequest, Outcome } from "./draw-messages.ts";
import { inputsOf } from "./pack-inputs.ts";
import { folderOf } from "./packs.ts";

/** A thread that renders packs one at a time and returns their results. */

const renderer = createRenderer(await loadCodecModules(), await loadBundledFonts(), fontLibrary);

async function drawOne(request: DrawRequest, prepared: PreparedPack, size: Size): Promise<Outcome> {
  const { pack, bannerFormat, folder } = request;
  const format = size.needsBorder ? bannerFormat : "jpg";
  const startMs = performance.now();
  const drawn = await renderer.render(prepared, { size, motion: "static", format });
  const drawMs = performance.now() - startMs;
  if (!drawn.ok) return { ok: false, sizeId: size.sizeId, code: drawn.code, message: drawn.message };
  const primary = drawn.value.files.find((file) => file.role === "primary");
  if (primary === undefined) throw new Error(`${size.sizeId} has no primary file`);
  const file = `${folderOf(pack)}/${size.sizeId}.${primary.extension}`;
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), primary.bytes);
  const { layout } = drawn.value;
  return {
    ok: true,
    sizeId: size.sizeId,
    file,
    shape: layout.shape,
    width: primary.width,
    height: primary.height,
    bytes: primary.bytes.length,
    compliance: primary.compliance,
    adjustments: layout.adjustments,
    drawMs,
  };
}

async function draw(request: DrawRequest): Promise<readonly Outcome[]> {
  const sizes = request.sizeIds.map((sizeId) => {
    const size = SIZES.find((candidate) => candidate.sizeId === sizeId);
    if (size === undefined) throw new Error(`not in the catalogue: ${sizeId}`);
    return size;
  });
  const prepared = await renderer.prepare(await inputsOf(request.pack));
  if (!prepared.ok) {
    const { code, message } = prepared;
    return sizes.map(({ sizeId }) => ({ ok: false, sizeId, code, message }));
  }
  const outcomes: Outcome[] = [];
  for (const size of sizes) outcomes.push(await drawOne(request, prepared.value, size));
  prepared.value.close();
  return outcomes;
}

const port = parentPort;
if (port === null) throw new Error("draw-thread.ts runs as a thread");
port.on("message", (request: DrawRequest) => {
  draw(request).then(
    (outcomes) => port.postMessage(outcomes),
    // An unexpected error ends the thread and the gallery.
    (thrown: unknown) => {
      setImmediate(() => {
        throw thrown;
      });
    },
  );
});
