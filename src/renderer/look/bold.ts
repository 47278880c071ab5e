import { type Look, voicesWith } from "./look.ts";

/** A poster: condensed black capitals set tight on the brand's own colour, square blocks, no ornament. */
export const BOLD: Look = {
  id: "bold",
  type: {
    fonts: {
      display: "sofia-sans-extra-condensed-black",
      regular: null,
      bold: null,
      scriptWeights: { regular: 500, bold: 900 },
    },
    voices: voicesWith({
      headline: { case: "capitals", trackingEm: 0.012, leading: 0.86 },
      button: { face: "display", case: "capitals", trackingEm: 0.02 },
      price: { trackingEm: 0 },
    }),
    headlineTimes: 1.75,
    subheadlineTimes: 1.05,
    priceTimes: 1,
  },
  button: { shape: "square", fill: "solid", hasArrow: false, paddingTimes: 1 },
  surface: { tone: "vivid", accent: "brand", texture: "flat", background: "duotone" },
  layout: { wordsOnPhoto: "panel", align: "start", marginTimes: 1, cornerTimes: 0, framesPhotos: false },
  field: { edge: "slant", tone: "solid", shape: "bars" },
  badge: "square",
  ornament: "bar",
  motion: "wipe",
};
