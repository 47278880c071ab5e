import { inset } from "./boxes.ts";
import type { Brief, Design } from "./design.ts";
import { fitPanel, type Panel } from "./panel.ts";

/** How many times its usual area the mark may be; slim canvases give it most of their width. */
const LOGO_TIMES = [5.6, 4.2, 3, 2.1, 1.4];
const SLIM_LOGO_TIMES = [8, ...LOGO_TIMES];
/** A mark alone leaves a headline more room than a picture would. */
const HEADLINE_TIMES: Partial<Record<Brief["shape"], number>> = {
  skyscraper: 1.4,
  story: 1.2,
  portrait: 1.15,
};
const SLIM_HEAD_SHARE = 0.09;
/** What a mark twice as large is worth, against a headline at its largest. */
const LOGO_SCORE = 0.08;

/** The brand alone: a large mark and the words, centred. */
export function centred(brief: Brief): Design | null {
  const { width, height, scale, safe } = brief;
  const across = Math.max(
    scale.marginPx,
    safe.width > safe.height ? safe.width * 0.16 : scale.marginPx * 1.2,
  );
  const content = inset(safe, across, scale.marginPx * 1.1);
  const times = HEADLINE_TIMES[brief.shape] ?? 1;
  const large = { ...brief, scale: { ...scale, headlinePxMax: scale.headlinePxMax * times } };
  let best: Panel | null = null;
  let bestScore = 0;
  // On a slim canvas one block in the middle would float: the mark takes the head.
  const isSlim = brief.shape === "skyscraper";
  const head = isSlim ? safe.height * SLIM_HEAD_SHARE : 0;
  const region = { ...content, y: content.y + head, height: content.height - head };
  for (const logoTimes of isSlim ? SLIM_LOGO_TIMES : LOGO_TIMES) {
    const panel = fitPanel(large, {
      region,
      align: "center",
      stand: "middle",
      logoAt: isSlim ? "head" : "lead",
      fillMax: 1,
      logoArea: scale.logoArea * logoTimes,
    });
    if (panel === null) continue;
    const score = panel.headlineSizeShare * panel.lineBreakScore + LOGO_SCORE * Math.log2(logoTimes);
    if (score <= bestScore) continue;
    best = panel;
    bestScore = score;
  }
  if (best === null) return null;
  return {
    surface: "lit",
    pictures: [],
    scrims: brief.hasBackground
      ? [
          {
            box: { x: 0, y: 0, width, height },
            axis: "down",
            stops: [
              { at: 0, opacity: "adaptive" },
              { at: 1, opacity: "adaptive" },
            ],
            adaptiveOpacityMin: 0.6,
          },
        ]
      : [],
    scrimsOver: "background",
    ...best,
  };
}
