import { type Look, voicesWith } from "./look.ts";

/** Calm and adaptable: the picture's own hue, a grotesk in two weights, a pill. The default. */
export const CLASSIC: Look = {
  id: "classic",
  type: {
    fonts: { display: null, regular: null, bold: null, scriptWeights: { regular: 500, bold: 700 } },
    voices: voicesWith({}),
    headlineTimes: 1,
    subheadlineTimes: 1,
    priceTimes: 1,
  },
  button: { shape: "pill", fill: "solid", hasArrow: false, paddingTimes: 1 },
  surface: { tone: "picture", accent: "brand", texture: "lit", background: "blurred" },
  layout: { wordsOnPhoto: "scrim", align: "start", marginTimes: 1, cornerTimes: 1, framesPhotos: false },
  field: { edge: "straight", tone: "solid", shape: "quarters" },
  badge: "pill",
  ornament: "none",
  motion: "rise",
};
