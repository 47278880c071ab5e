import { type Look, voicesWith } from "./look.ts";

/** Whitespace: a light geometric face on white, small relative to the space around it, a hairline around the button. */
export const MINIMAL: Look = {
  id: "minimal",
  type: {
    fonts: {
      display: "jost-light",
      regular: "jost-regular",
      bold: "jost-regular",
      isLight: true,
      scriptWeights: { regular: 400, bold: 300 },
    },
    voices: voicesWith({
      headline: { trackingEm: -0.005, leading: 1.08 },
      body: { leading: 1.08 },
      button: { face: "regular", trackingEm: 0.02 },
    }),
    headlineTimes: 0.86,
    subheadlineTimes: 0.98,
    priceTimes: 1,
  },
  button: { shape: "soft", fill: "outline", hasArrow: false, paddingTimes: 1.15 },
  surface: { tone: "white", accent: "brand", texture: "flat", background: "blurred" },
  layout: { wordsOnPhoto: "panel", align: "start", marginTimes: 1.3, cornerTimes: 0.5, framesPhotos: true },
  field: { edge: "card", tone: "tint", shape: "rings" },
  badge: "soft",
  ornament: "none",
  motion: "slide",
};
