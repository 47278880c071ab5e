import { type Look, voicesWith } from "./look.ts";

/** A magazine page: a high-contrast serif on paper, wide margins, thin rules, a button that is a link. */
export const EDITORIAL: Look = {
  id: "editorial",
  type: {
    fonts: {
      display: "noto-serif-display-medium",
      regular: null,
      bold: null,
      isLight: true,
      scriptWeights: { regular: 500, bold: 480 },
    },
    voices: voicesWith({
      headline: { trackingEm: 0.004, leading: 1.02 },
      body: { leading: 1.04 },
      button: { face: "regular", trackingEm: 0.01 },
    }),
    headlineTimes: 1.12,
    subheadlineTimes: 0.92,
    priceTimes: 1,
  },
  button: { shape: "rule", fill: "outline", hasArrow: true, paddingTimes: 1 },
  surface: { tone: "paper", accent: "brand", texture: "flat", background: "blurred" },
  layout: { wordsOnPhoto: "panel", align: "start", marginTimes: 1.3, cornerTimes: 0, framesPhotos: true },
  field: { edge: "card", tone: "solid", shape: "quarters" },
  badge: "rule",
  ornament: "rule",
  motion: "fade",
};
