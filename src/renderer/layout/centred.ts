import type { Brief, Design } from "./design.ts";
import { fitPanel } from "./panel.ts";
import { inset } from "./pictures.ts";

/** The brand alone: a large mark and the words, centred. */
export function centred(brief: Brief): Design | null {
  const { width, height, scale, safe } = brief;
  const across = Math.max(
    scale.marginPx,
    safe.width > safe.height ? safe.width * 0.16 : scale.marginPx * 1.2,
  );
  const content = inset(safe, across, scale.marginPx * 1.1);
  for (const times of [4.2, 3, 2.1, 1.4]) {
    const panel = fitPanel(brief, {
      region: content,
      align: "center",
      stand: "middle",
      logoAt: "lead",
      fillMax: 1,
      logoArea: scale.logoArea * times,
    });
    if (panel === null) continue;
    return {
      ground: "stage",
      pictures: [],
      veils: brief.hasBackground
        ? [
            {
              box: { x: 0, y: 0, width, height },
              axis: "down",
              stops: [
                { at: 0, opacity: "grip" },
                { at: 1, opacity: "grip" },
              ],
              gripMin: 0.6,
            },
          ]
        : [],
      veilsLie: "under",
      logo: panel.logo,
      texts: panel.texts,
      button: panel.button,
      leadShare: panel.leadShare,
      poise: panel.poise,
    };
  }
  return null;
}
