import { type Look, voicesWith } from "./look.ts";

/** Cheerful: a round face on a pastel, soft shapes and dots around, photos with round corners, a fat pill. */
export const PLAYFUL: Look = {
  id: "playful",
  type: {
    fonts: {
      display: "fredoka-bold",
      regular: "fredoka-medium",
      bold: "fredoka-bold",
      scriptWeights: { regular: 500, bold: 700 },
    },
    voices: voicesWith({ headline: { leading: 0.98 }, button: { face: "display" } }),
    headlineTimes: 1.06,
    subheadlineTimes: 1,
    priceTimes: 1,
  },
  button: { shape: "pill", fill: "solid", hasArrow: false, paddingTimes: 1.1 },
  surface: { tone: "pastel", accent: "brand", texture: "blobs", background: "blurred" },
  layout: { wordsOnPhoto: "panel", align: "center", marginTimes: 1, cornerTimes: 3.2, framesPhotos: true },
  field: { edge: "round", tone: "solid", shape: "discs" },
  badge: "circle",
  ornament: "none",
  motion: "pop",
};
