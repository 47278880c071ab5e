import { bestScored } from "#renderer/best-scored.ts";
import type { Copy } from "#renderer/types.ts";
import { inset, symmetric } from "../design/boxes.ts";
import { type Brief, type CopyBlock, type Design, evenScrim, headlineScore } from "../design/design.ts";
import { LOGO_DOUBLINGS, type LogoTimes } from "../design/logo-area-logarithms.ts";
import { fitPanel, type PanelRequest } from "../words/text-panel.ts";

/** Areas that are tried for the logo, as multiples of its usual area; on slim canvases it may take most of the width. */
const LOGO_TIMES: readonly LogoTimes[] = [5.6, 4.2, 3, 2.1, 1.4];
const SLIM_LOGO_TIMES: readonly LogoTimes[] = [8, ...LOGO_TIMES];
/** A headline may be larger than usual: a logo leaves it more room than a picture would. */
const HEADLINE_TIMES: Partial<Record<Brief["shape"], number>> = {
  skyscraper: 1.9,
  story: 1.5,
  portrait: 1.4,
  square: 1.15,
};
const SLIM_HEAD_SHARE = 0.09;
/** The score of a logo twice as large; a headline at its largest scores 1. */
const LOGO_SCORE = 0.08;

/** A slim column from its logo at the head to its button at the foot; null without a button, or where they do not fit. */
function closedBelow(brief: Brief, request: PanelRequest): CopyBlock | null {
  const { headline, cta, disclaimer, language } = brief.copy;
  if (headline === undefined || cta === undefined) return null;
  const region = { ...request.region, height: request.region.height - request.region.width * FOOT_AIR };
  const foot = fitPanel(
    { ...brief, copy: { cta, disclaimer, language } },
    { ...request, region, logoAt: "none", stand: "bottom" },
  );
  if (foot === null) return null;
  const height = foot.top - brief.scale.marginPx * 1.5 - region.y;
  const words: Copy = { ...brief.copy, cta: undefined, disclaimer: undefined };
  const head = fitPanel({ ...brief, copy: words }, { ...request, region: { ...region, height } });
  if (head === null) return null;
  return { ...head, texts: [...head.texts, ...foot.texts], button: foot.button };
}

/** Under a slim column's button, as a share of its width. */
const FOOT_AIR = 0.16;

/** A brand without a picture: a large logo and the words, centred. */
export function centred(brief: Brief): Design | null {
  const { scale, safe } = brief;
  const across = Math.max(
    scale.marginPx,
    safe.width > safe.height ? safe.width * 0.16 : scale.marginPx * 1.2,
  );
  const content = inset(symmetric(safe, brief.width), across, scale.marginPx * 1.1);
  const times = HEADLINE_TIMES[brief.shape] ?? 1;
  const large = { ...brief, scale: { ...scale, headlinePxMax: scale.headlinePxMax * times } };
  // On a slim canvas one block in the middle would look lost: the logo stands at the head.
  const isSlim = brief.shape === "skyscraper";
  const head = isSlim ? safe.height * SLIM_HEAD_SHARE : 0;
  const region = { ...content, y: content.y + head, height: content.height - head };
  const logoAt = isSlim ? "head" : "lead";
  const request = { region, align: "center", stand: "middle", logoAt, fillMax: 1 } as const;
  const fitting = (isSlim ? SLIM_LOGO_TIMES : LOGO_TIMES).flatMap((logoTimes) => {
    const logoArea = scale.logoArea * logoTimes;
    const panel =
      (isSlim ? closedBelow(large, { ...request, logoArea }) : null) ??
      fitPanel(large, { ...request, logoArea });
    return panel === null ? [] : [{ panel, logoTimes }];
  });
  const best = bestScored(
    fitting,
    ({ panel, logoTimes }) => headlineScore(panel) + LOGO_SCORE * LOGO_DOUBLINGS[logoTimes],
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
