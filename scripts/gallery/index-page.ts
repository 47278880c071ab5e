import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SHAPES } from "#renderer/index.ts";
import { formatBytes } from "../run/demo/figures.ts";
import type { Drawing, Outcome, Undrawn } from "./draw-messages.ts";
import { CHAPTERS, chapterOf, type GalleryPack, partOf, partsOf } from "./packs.ts";
import { pageStyle } from "./page-style.ts";
import { pictureSizes } from "./picture-sizes.ts";

export interface Shown {
  readonly pack: GalleryPack;
  readonly outcomes: readonly Outcome[];
}

/** Images are scaled to about this area, but never enlarged. */
const SHOWN_AREA_PX = 90_000;
const SHOWN_WIDTH_PX_MAX = 970;

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const alike = new Map(pictureSizes().map((picture) => [picture.size.sizeId, picture.sizeIds]));

/** Writes index.html next to the families' folders. It refers only to the images there. */
export async function writeIndexPage(folder: string, shown: readonly Shown[]): Promise<void> {
  const chapters = CHAPTERS.filter((chapter) => shown.some(({ pack }) => chapterOf(pack) === chapter));
  const sections = chapters.map((chapter) =>
    renderChapter(
      chapter,
      shown.filter(({ pack }) => chapterOf(pack) === chapter),
    ),
  );
  await writeFile(
    join(folder, "index.html"),
    `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Creative Packs: gallery</title>
    <style>${pageStyle}</style>
  </head>
  <body>
    <header><h1>Creative Packs</h1>
      <p>Every family in every size of the catalogue, from the sample files; eight brands and every look in a few sizes. Sizes that share pixels, byte cap, safe area
        and border are drawn once and listed together.</p>
      <nav>${chapters.map((chapter) => `<a href="#${chapter}">${chapter}</a>`).join(" ")}</nav>
    </header>${sections.join("")}
  </body>
</html>
`,
  );
}

function renderChapter(chapter: string, shown: readonly Shown[]): string {
  const parts = partsOf(shown.map(({ pack }) => pack)).map((part) => {
    const of = shown.filter(({ pack }) => partOf(pack) === part);
    return `<section class="part"><h3>${part}</h3>${renderShapes(of)}</section>`;
  });
  return `
    <section id="${chapter}"><h2>${chapter}</h2>${parts.join("")}
    </section>`;
}

function renderShapes(shown: readonly Shown[]): string {
  const outcomes = shown.flatMap(({ pack, outcomes: all }) =>
    all.map((outcome) => ({ outcome, language: pack.language })),
  );
  const drawn = SHAPES.flatMap((shape) => {
    const of = outcomes.filter(({ outcome }) => outcome.ok && outcome.shape === shape);
    const figures = of.map(({ outcome, language }) => (outcome.ok ? renderFigure(outcome, language) : ""));
    return of.length === 0
      ? []
      : [`<h4>${shape.replace("_", " ")}</h4><div class="files">${figures.join("")}</div>`];
  });
  const undrawn = outcomes.flatMap(({ outcome }) => (outcome.ok ? [] : [renderUndrawn(outcome)]));
  return [...drawn, ...undrawn].join("\n");
}

function renderFigure(drawing: Drawing, language: string): string {
  const { compliance, width, height, bytes, file, sizeId, adjustments } = drawing;
  const shownWidth = Math.round(
    Math.min(width, SHOWN_WIDTH_PX_MAX, Math.sqrt((SHOWN_AREA_PX * width) / height)),
  );
  const cap = compliance.byteCap;
  const budget =
    cap === null ? `${formatBytes(bytes)}, no cap published` : `${formatBytes(bytes)} of ${formatBytes(cap)}`;
  const notes = [
    ...compliance.checks
      .filter((check) => !check.passed)
      .map((check) => `${check.rule}: ${check.actual}, required ${check.required}`),
    ...adjustments.map((adjustment) => adjustment.message),
  ];
  return `
      <figure style="width:${Math.max(shownWidth, 200)}px">
        <a href="${file}"><img loading="lazy" src="${file}" width="${width}" height="${height}" style="width:${shownWidth}px" alt="${sizeId}"></a>
        <figcaption><b>${width} × ${height}</b> ${language === "English" ? "" : language}
          <p class="${compliance.verdict}">${budget}</p>
          <p>${(alike.get(sizeId) ?? [sizeId]).join(", ")}</p>
          ${notes.length === 0 ? "" : `<ul>${notes.map((note) => `<li>${escapeHtml(note)}</li>`).join("")}</ul>`}
        </figcaption>
      </figure>`;
}

const renderUndrawn = ({ sizeId, code, message }: Undrawn): string =>
  `<p class="fail">${sizeId}: ${code}: ${escapeHtml(message)}</p>`;
