import { type Look, voicesWith } from "./look.ts";

/**
 * A boutique: spaced roman capitals centred on near black, a thin frame, an outlined button, gold unless the brand
 * names a colour.
 */
export const PREMIUM: Look = {
  id: "premium",
  type: {
    fonts: {
      display: "marcellus-regular",
      regular: "jost-regular",
      bold: "jost-regular",
      isLight: true,
      scriptWeights: { regular: 400, bold: 400 },
    },
    voices: voicesWith({
      headline: { case: "capitals", trackingEm: 0.09, leading: 1.16 },
      body: { trackingEm: 0.012, leading: 1.1 },
      button: { face: "regular", case: "capitals", trackingEm: 0.16 },
      fine_print: { trackingEm: 0.01 },
      price: { trackingEm: 0.03 },
    }),
    headlineTimes: 0.82,
    subheadlineTimes: 1,
    priceTimes: 1,
  },
  button: { shape: "square", fill: "outline", hasArrow: false, paddingTimes: 1.2 },
  surface: { tone: "night", accent: "gold", texture: "lit", background: "blurred" },
  layout: { wordsOnPhoto: "scrim", align: "center", marginTimes: 1.2, cornerTimes: 0, framesPhotos: true },
  field: { edge: "arch", tone: "tint", shape: "rings" },
  badge: "rule",
  ornament: "frame",
  motion: "drift",
};
