import type { Look } from "./look.ts";
import { voicesWith } from "./voices.ts";

/** A poster: condensed black capitals set tight on the brand's own colour, square blocks, no ornament. */
export const BOLD: Look = {
  id: "bold",
  type: {
    fonts: { display: null, regular: null, bold: null },
    voices: voicesWith({
      headline: { case: "capitals", trackingEm: 0, leading: 0.9 },
      button: { face: "display", case: "capitals", trackingEm: 0.02 },
      price: { trackingEm: 0 },
    }),
    headlineTimes: 1.3,
    subheadlineTimes: 0.9,
  },
  button: { shape: "square", fill: "solid", hasArrow: false, paddingTimes: 1 },
  ground: { tone: "vivid", accent: "brand", texture: "flat", background: "duotone" },
  layout: { wordsOnPhoto: "panel", align: "start", marginTimes: 1, cornerTimes: 0, framesPhotos: false },
  badge: "square",
  ornament: "bar",
  motion: "wipe",
};
