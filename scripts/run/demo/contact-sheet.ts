import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { formatBytes, formatSeconds } from "./figures.ts";
import { type MadePack, type PackFile, PREVIEW_FILE_NAME } from "./make-pack.ts";

/** Images are scaled to about this area, but never enlarged. */
const SHOWN_AREA_PX = 78_000;
const SHOWN_WIDTH_PX_MAX = 760;

const STYLE = `
      body { margin: 0 auto; max-width: 1280px; padding: 48px 32px; background: #f4f2ec; color: #1d211f;
        font: 14px/1.5 system-ui, sans-serif; }
      h2 { margin: 48px 0 4px; }
      p, li { color: #66706a; margin: 0; }
      .files { display: flex; flex-wrap: wrap; gap: 32px 28px; margin-top: 24px; }
      figure { margin: 0; min-width: 190px; max-width: 100%; }
      figcaption { width: 0; min-width: 100%; }
      img { display: block; max-width: 100%; height: auto; box-shadow: 0 6px 20px #0000001a; }
      ul { margin: 4px 0 0; padding-left: 16px; }
`;

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

function picture(path: string, width: number, height: number, caption: string): string {
  const shown = Math.round(Math.min(width, SHOWN_WIDTH_PX_MAX, Math.sqrt((SHOWN_AREA_PX * width) / height)));
  return `
        <figure><a href="${path}"><img src="${path}" width="${shown}" alt=""></a><figcaption>${caption}</figcaption></figure>`;
}

/** A file with its byte budget, compliance and layout adjustments. */
function renderFile(folder: string, file: PackFile): string {
  const { compliance, layout, width, height } = file;
  const failed = compliance.checks.filter((check) => !check.passed);
  const notes = [
    ...failed.map((check) => `${check.rule}: ${check.actual}, required ${check.required}`),
    ...layout.adjustments.map((adjustment) => adjustment.message),
  ];
  const cap = compliance.byteCap === null ? ", no cap published" : ` of ${formatBytes(compliance.byteCap)}`;
  return picture(
    `${folder}/${file.fileName}`,
    width,
    height,
    `<b>${file.sizeId} ${compliance.verdict === "pass" ? "complies" : "does not comply"}</b>
        <p>${width} × ${height}, ${formatBytes(file.byteLength)}${cap}</p>
        <ul>${notes.map((note) => `<li>${escapeHtml(note)}</li>`).join("")}</ul>`,
  );
}

function renderPack({ pack, preview, job, artifact, zipName, zipBytes, renderMs }: MadePack): string {
  const { amount, unit } = job.expectedCost;
  const seen =
    preview === null
      ? ""
      : picture(
          PREVIEW_FILE_NAME,
          preview.image.width,
          preview.image.height,
          "<b>Seen before it was bought</b>",
        );
  return `
    <section>
      <h2>${escapeHtml(pack.title)}</h2>
      <p>${artifact.files.length} files, ${formatBytes(artifact.manifest.totalBytes)}, in ${formatSeconds(renderMs)} for ${amount} ${unit}s.
        <a href="${pack.name}/${zipName}">All as a ZIP</a> (${formatBytes(zipBytes)})</p>
      <p>Fingerprint <code>${artifact.pack.renderFingerprint}</code></p>
      <div class="files">${seen}${artifact.files.map((file) => renderFile(pack.name, file)).join("")}
      </div>
    </section>`;
}

/** Writes index.html next to the packs' folders. */
export async function writeContactSheet(outputFolder: string, packs: readonly MadePack[]): Promise<string> {
  const path = join(outputFolder, "index.html");
  await writeFile(
    path,
    `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Creative Packs: contact sheet</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <h1>Creative Packs</h1>${packs.map(renderPack).join("")}
  </body>
</html>
`,
  );
  return path;
}
