import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LedgerEvent } from "../../../sdk/src/index.ts";
import { sheetStyle } from "./contact-sheet-style.ts";
import { formatBytes, formatSeconds } from "./figures.ts";
import type { MadePack, PackFile } from "./make-pack.ts";
import { describePrediction, PREVIEW_FILE_NAME, type SavedPreview } from "./preview-pack.ts";

/** What the packs cost, as the ledger tells it. */
export interface Cost {
  readonly before: number;
  readonly after: number;
  /** Oldest first. */
  readonly events: readonly LedgerEvent[];
}

/** Every picture is shown at about this area, and never larger than it is. */
const SHOWN_AREA_PX = 78_000;
const SHOWN_WIDTH_PX_MAX = 760;

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const shownWidth = ({ width, height }: PackFile): number =>
  Math.round(Math.min(width, SHOWN_WIDTH_PX_MAX, Math.sqrt((SHOWN_AREA_PX * width) / height)));

function renderBudget({ byteLength, compliance }: PackFile): string {
  if (compliance.byteCap === null) return `<p class="bytes">${formatBytes(byteLength)}, no cap published</p>`;
  const share = Math.min(100, (100 * byteLength) / compliance.byteCap);
  return `<p class="bytes">${formatBytes(byteLength)} of ${formatBytes(compliance.byteCap)}</p>
        <p class="meter"><i style="width:${share.toFixed(1)}%"></i></p>`;
}

function renderFile(folder: string, file: PackFile): string {
  const { compliance, layout } = file;
  const isPassed = compliance.verdict === "pass";
  const failed = compliance.checks.filter((check) => !check.passed);
  const notes = [
    ...failed.map((check) => `${check.rule}: ${check.actual}, required ${check.required}`),
    ...layout.adjustments.map((adjustment) => adjustment.message),
  ];
  const path = `${folder}/${file.fileName}`;
  return `
      <figure style="width:${Math.max(shownWidth(file), 190)}px">
        <a href="${escapeHtml(path)}"><img src="${escapeHtml(path)}" width="${file.width}" height="${file.height}" style="width:${shownWidth(file)}px" alt="${escapeHtml(file.sizeId)}"></a>
        <figcaption>
        <h3>${escapeHtml(file.sizeId)} <b class="${isPassed ? "pass" : "fail"}">${isPassed ? "complies" : "does not comply"}</b></h3>
        <p>${file.width} × ${file.height}, ${escapeHtml(layout.shape.replace("_", " "))}</p>
        ${renderBudget(file)}
        ${notes.length === 0 ? "" : `<ul>${notes.map((note) => `<li>${escapeHtml(note)}</li>`).join("")}</ul>`}
        </figcaption>
      </figure>`;
}

/** Width at which the preview is shown. */
const PREVIEW_SHOWN_PX = 540;

function renderPreview({ sizeId, preview }: SavedPreview): string {
  const { width, height } = preview.image;
  const { product } = preview.quota;
  return `
      <figure class="preview">
        <a href="${PREVIEW_FILE_NAME}"><img src="${PREVIEW_FILE_NAME}" width="${width}" height="${height}" style="width:${Math.min(width, PREVIEW_SHOWN_PX)}px" alt="Preview of ${escapeHtml(sizeId)}"></a>
        <figcaption>
        <h3>Seen before it was bought: ${escapeHtml(sizeId)}</h3>
        <p>${width} × ${height}, ${escapeHtml(preview.protection)}. No credits; ${product.remaining} of ${product.limit} previews left today.</p>
        <p>Predicted ${escapeHtml(describePrediction(preview))}.</p>
        </figcaption>
      </figure>`;
}

function renderPack({ pack, preview, job, artifact, zipName, zipBytes, renderMs }: MadePack): string {
  const { amount, unit } = job.expectedCost;
  return `
    <section>
      <h2>${escapeHtml(pack.title)}</h2>
      <p class="facts">${artifact.files.length} files, ${formatBytes(artifact.manifest.totalBytes)}, in
        ${formatSeconds(renderMs)} for ${amount} ${unit}s.
        <a href="${pack.name}/${zipName}">All as a ZIP</a> (${formatBytes(zipBytes)})</p>
      <p class="facts">Fingerprint <code>${artifact.pack.renderFingerprint}</code></p>
      ${preview === null ? "" : renderPreview(preview)}
      <div class="files">${artifact.files.map((file) => renderFile(pack.name, file)).join("")}
      </div>
    </section>`;
}

const renderCost = ({ before, after, events }: Cost): string => `
    <section>
      <h2>What it cost</h2>
      <p class="facts">Balance ${before} credits before, ${after} after.</p>
      <table>
        <tr><th>Event</th><th>Type</th><th>Amount</th><th>Balance after</th><th>Description</th></tr>
        ${events
          .map(
            ({ eventId, type, amount, balanceAfter, description }) =>
              `<tr><td>${escapeHtml(eventId)}</td><td>${escapeHtml(type)}</td><td>${amount}</td><td>${balanceAfter}</td><td>${escapeHtml(description)}</td></tr>`,
          )
          .join("\n        ")}
      </table>
    </section>`;

/** Writes index.html beside the packs' folders: every file, its budget, its verdict, its layout's adjustments. */
export async function writeContactSheet(
  outputFolder: string,
  packs: readonly MadePack[],
  cost: Cost,
): Promise<string> {
  const path = join(outputFolder, "index.html");
  await writeFile(
    path,
    `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Creative Packs: contact sheet</title>
    <style>${sheetStyle}</style>
  </head>
  <body>
    <h1>Creative Packs</h1>${packs.map(renderPack).join("")}${renderCost(cost)}
  </body>
</html>
`,
  );
  return path;
}
