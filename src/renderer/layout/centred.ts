import { highest } from "../highest.ts";
import { inset } from "./boxes.ts";
import { type Brief, type Design, evenScrim, headlineScore } from "./design.ts";
import { fitPanel } from "./text-panel.ts";

/** Areas that are tried for the logo, as multiples of its usual area; on slim canvases it may take most of the width. */
const LOGO_TIMES = [5.6, 4.2, 3, 2.1, 1.4];
const SLIM_LOGO_TIMES = [8, ...LOGO_TIMES];
/** A headline may be larger than usual: a logo leaves it more room than a picture would. */
const HEADLINE_TIMES: Partial<Record<Brief["shape"], number>> = {
  skyscraper: 1.4,
  story: 1.2,
  portrait: 1.15,
};
const SLIM_HEAD_SHARE = 0.09;
/** The score of a logo twice as large; a headline at its largest scores 1. */
const LOGO_SCORE = 0.08;

/** A brand without a picture: a large logo and the words, centred. */
export function centred(brief: Brief): Design | null {
  const { scale, safe } = brief;
  const across = Math.max(
    scale.marginPx,
    safe.width > safe.height ? safe.width * 0.16 : scale.marginPx * 1.2,
  );
  const content = inset(safe, across, scale.marginPx * 1.1);
  const times = HEADLINE_TIMES[brief.shape] ?? 1;
  const large = { ...brief, scale: { ...scale, headlinePxMax: scale.headlinePxMax * times } };
  // On a slim canvas one block in the middle would look lost: the logo stands at the head.
  const isSlim = brief.shape === "skyscraper";
  const head = isSlim ? safe.height * SLIM_HEAD_SHARE : 0;
  const region = { ...content, y: content.y + head, height: content.height - head };
  const logoAt = isSlim ? "head" : "lead";
  const request = { region, align: "center", stand: "middle", logoAt, fillMax: 1 } as const;
  const fitting = (isSlim ? SLIM_LOGO_TIMES : LOGO_TIMES).flatMap((logoTimes) => {
    const panel = fitPanel(large, { ...request, logoArea: scale.logoArea * logoTimes });
    return panel === null ? [] : [{ panel, logoTimes }];
  });
  const best = highest(
    fitting,
    ({ panel, logoTimes }) => headlineScore(panel) + LOGO_SCORE * Math.log2(logoTimes),
    0,
  );
  if (best === null) return null;
  return {
    surface: "lit",
    pictures: [],
    scrims: brief.hasBackground ? [evenScrim(brief, 0.6)] : [],
    scrimsOver: "background",
    ...best.panel,
  };
}
