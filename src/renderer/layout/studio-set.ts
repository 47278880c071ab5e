import type { Box, Copy } from "../types.ts";
import { inset } from "./boxes.ts";
import type { Brief, Design, PlacedPicture, Veil } from "./design.ts";
import { isIsland } from "./full-bleed.ts";
import { columnPanel, fitPanel, type Panel, signedPanel } from "./panel.ts";
import { standInRegion } from "./place-pictures.ts";
import { isWide, stageWorth } from "./studio-set-score.ts";

const SHARES_BESIDE = [0.5, 0.44, 0.56, 0.62];
const SHARES_BESIDE_WIDE = [0.5, 0.44, 0.56, 0.62, 0.68, 0.74];
/** A background is tinted everywhere, so that it recedes behind what stands on it. */
const TINT_OPACITY = 0.12;
/** On taller canvases a column beside the picture leaves head and foot empty. */
const COLUMN_ASPECT_MIN = 0.72;
const COLUMN_WORTH = 0.4;
const SHARES_OVER = [0.4, 0.34, 0.46, 0.54, 0.64];

/** A thing or a person on a tinted stage, words beside or above it, whichever leaves both the most room. */
export function stage(brief: Brief): Design | null {
  const designs: Design[] = [];
  const shares = isWide(brief) ? SHARES_BESIDE_WIDE : SHARES_BESIDE;
  if (brief.shape !== "skyscraper") designs.push(...shares.flatMap((share) => beside(brief, share) ?? []));
  const besideCount = designs.length;
  if (!isWide(brief)) {
    for (const share of SHARES_OVER) {
      designs.push(...[false, true].flatMap((isButtonBelow) => over(brief, share, isButtonBelow) ?? []));
    }
  }
  let best: Design | null = null;
  let bestScore = 0;
  for (const [at, design] of designs.entries()) {
    const isColumn = at < besideCount && brief.width < brief.height * COLUMN_ASPECT_MIN;
    const score = stageWorth(brief, design) * (isColumn ? COLUMN_WORTH : 1);
    if (score > bestScore) {
      best = design;
      bestScore = score;
    }
  }
  return best;
}

/** Right edge of everything in a panel. */
function inkEnd({ logo, texts, button }: NonNullable<ReturnType<typeof fitPanel>>): number {
  const boxes = [
    ...texts.map((text) => text.ink),
    ...(logo === null ? [] : [logo]),
    ...(button === null ? [] : [button.box]),
  ];
  return Math.max(...boxes.map((box) => box.x + box.width));
}

function beside(brief: Brief, share: number): Design | null {
  const { width, height, scale, safe } = brief;
  const m = scale.marginPx;
  const content = inset(safe, m, m);
  const edge = safe.x + safe.width * share;
  const region = { ...content, width: edge - content.x };
  const panel = isIsland(brief) ? signedOnIsland(brief, region) : columnPanel(brief, region);
  if (panel === null) return null;
  // The picture's room starts where the words end, which may be well before the column does.
  const wordsEnd = Math.min(edge, inkEnd(panel));
  const start = isWide(brief) ? wordsEnd + m * 1.4 : edge + m * 0.8;
  const isPerson = brief.family === "person" && brief.hero?.isCutOut === true;
  const pad = Math.max(3, isPerson ? m * 0.5 : isWide(brief) ? m * 0.55 : m * 0.85);
  const end = width - (isWide(brief) ? m : m * 0.8);
  const tall: Box = {
    x: start,
    y: pad,
    width: end - start,
    height: isPerson ? height - pad : height - pad * 2,
  };
  const free = isIsland(brief) ? aroundIsland(brief, tall) : tall;
  const standing = standInRegion(brief, free, scale.cornerRadiusPx * 1.6);
  return designOf(brief, isWide(brief) && !isIsland(brief) ? cardsAtEnd(standing, end) : standing, panel, {
    box: { x: 0, y: 0, width, height },
    axis: "across",
    stops: [
      { at: 0, opacity: "grip" },
      { at: Math.min(0.9, wordsEnd / width), opacity: "grip" },
      { at: 1, opacity: TINT_OPACITY },
    ],
    gripMin: gripOn(brief),
  });
}

/** A background needs little tint for words, more for a logo to stand on it without a plate. */
const gripOn = ({ isLogoPatched }: Brief): number => (isLogoPatched ? 0.74 : 0.36);

/** A lone card on a wide canvas lies against the margin, as a picture in a page does. */
function cardsAtEnd(pictures: readonly PlacedPicture[], end: number): readonly PlacedPicture[] {
  if (pictures.length > 1) return pictures;
  return pictures.map((picture) =>
    picture.fill === "card"
      ? { ...picture, box: { ...picture.box, x: Math.round(end - picture.box.width) } }
      : picture,
  );
}

/** An island is low: a logo beside the button leaves the headline its height. */
function signedOnIsland(brief: Brief, region: Box): Panel | null {
  const signed = signedPanel(brief, region, { stand: "middle", fillMax: 1 });
  return signed === null ? null : { ...signed.panel, logo: signed.logo };
}

/** Around an island there is room for a hero many times its words: it keeps to their proportion, a person to the ground. */
function aroundIsland({ family, safe, width, height }: Brief, region: Box): Box {
  const isPerson = family === "person";
  const bottom = isPerson ? height : Math.min(region.y + region.height, safe.y + safe.height * 1.6);
  const top = Math.max(region.y, safe.y - safe.height * (isPerson ? 0.35 : 0.6));
  const end = Math.min(width, safe.x + safe.width * 1.12);
  return { x: region.x, y: top, width: end - region.x, height: bottom - top };
}

function over(brief: Brief, share: number, isButtonBelow: boolean): Design | null {
  const { width, height, scale, safe, copy } = brief;
  const m = scale.marginPx;
  const content = inset(safe, m, m);
  const region = { ...content, height: content.height * share };
  // Where the safe area ends far above the canvas, a note at its foot would cut the picture's room in two.
  // A person stands on the canvas edge, so the note stays with the words.
  const isStanding = brief.family === "person" && brief.hero?.isCutOut === true;
  const hasFoot = !isStanding && height - safe.y - safe.height < height * 0.1;
  if (isButtonBelow && (!hasFoot || copy.cta === undefined || copy.headline === undefined)) return null;
  const isNoteBelow = hasFoot && (copy.disclaimer !== undefined || isButtonBelow);
  const below: Copy = {
    ...(isNoteBelow ? { disclaimer: copy.disclaimer } : {}),
    ...(isButtonBelow ? { cta: copy.cta } : {}),
  };
  const above: Copy = {
    ...copy,
    ...(isNoteBelow ? { disclaimer: undefined } : {}),
    ...(isButtonBelow ? { cta: undefined } : {}),
  };
  const body = { ...brief, copy: above };
  const panel = fitPanel(body, {
    region,
    align: "center",
    stand: "top",
    logoAt: "head",
    fillMax: 1,
    noteAt: "words",
  });
  if (panel === null) return null;
  const note = isNoteBelow ? footOf(brief, below, content) : null;
  if (isNoteBelow && note === null) return null;
  const top = panel.bottom + m * 1.1;
  // Below the safe area a picture may go on, words may not.
  const bottom = isStanding
    ? height
    : note !== null
      ? note.top - m * 0.8
      : height - Math.max(m * 1.1, (height - safe.y - safe.height) * 0.4);
  const free = { x: m, y: top, width: width - m * 2, height: bottom - top };
  if (free.height < height * 0.22) return null;
  const design = designOf(brief, standInRegion(brief, free, scale.cornerRadiusPx * 1.6), panel, {
    box: { x: 0, y: 0, width, height },
    axis: "down",
    stops: [
      { at: 0, opacity: "grip" },
      { at: (panel.bottom + m * 0.3) / height, opacity: "grip" },
      // Between the words and the note at the foot the background may breathe.
      ...(note === null
        ? [{ at: 1, opacity: TINT_OPACITY }]
        : [
            { at: (panel.bottom + note.top) / 2 / height, opacity: TINT_OPACITY },
            { at: (note.top - m * 0.3) / height, opacity: "grip" as const },
            { at: 1, opacity: "grip" as const },
          ]),
    ],
    gripMin: gripOn(brief),
  });
  if (note === null) return design;
  return { ...design, texts: [...design.texts, ...note.texts], button: design.button ?? note.button };
}

/** What closes a canvas under its picture: a button, a disclaimer or both. */
function footOf(brief: Brief, copy: Copy, content: Box) {
  return fitPanel(
    { ...brief, copy },
    {
      region: content,
      align: "center",
      stand: "bottom",
      logoAt: "none",
      fillMax: 1,
    },
  );
}

function designOf(
  brief: Brief,
  pictures: readonly PlacedPicture[],
  panel: NonNullable<ReturnType<typeof fitPanel>>,
  veil: Veil,
): Design {
  return {
    ground: "stage",
    pictures,
    veils: brief.hasBackground ? [veil] : [],
    veilsLie: "under",
    logo: panel.logo,
    texts: panel.texts,
    button: panel.button,
    leadShare: panel.leadShare,
    poise: panel.poise,
  };
}
