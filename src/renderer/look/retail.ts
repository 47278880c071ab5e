import { type Look, voicesWith } from "./look.ts";

/**
 * The offer first: a black grotesk, the price largest, a star for the badge, a sunburst in the accent behind it all.
 */
export const RETAIL: Look = {
  id: "retail",
  type: {
    fonts: {
      display: "archivo-black-regular",
      regular: null,
      bold: null,
      scriptWeights: { regular: 500, bold: 900 },
    },
    voices: voicesWith({
      headline: { trackingEm: -0.01, leading: 0.97 },
      button: { face: "display" },
      price: { trackingEm: -0.02 },
    }),
    headlineTimes: 1.04,
    subheadlineTimes: 1,
    priceTimes: 1.35,
  },
  button: { shape: "soft", fill: "solid", hasArrow: true, paddingTimes: 0.9 },
  surface: { tone: "accent", accent: "brand", texture: "rays", background: "blurred" },
  layout: { wordsOnPhoto: "panel", align: "start", marginTimes: 1, cornerTimes: 0.6, framesPhotos: false },
  field: { edge: "slant", tone: "solid", shape: "burst" },
  badge: "burst",
  ornament: "none",
  motion: "stamp",
};
