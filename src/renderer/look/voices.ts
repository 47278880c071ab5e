import type { TypeStyle, Voice, VoiceName } from "./look.ts";

const PLAIN: Voice = { face: "regular", case: "as_written", trackingEm: 0, leading: 1 };

/** The voices of a look, from how they differ from plain ones: the headline, price and button are bold. */
export function voicesWith(changes: Partial<Record<VoiceName, Partial<Voice>>>): TypeStyle["voices"] {
  const voice = (name: VoiceName, base: Voice): Voice => ({ ...base, ...changes[name] });
  return {
    headline: voice("headline", { ...PLAIN, face: "display" }),
    body: voice("body", PLAIN),
    button: voice("button", { ...PLAIN, face: "bold" }),
    fine_print: voice("fine_print", PLAIN),
    price: voice("price", { ...PLAIN, face: "display" }),
  };
}
