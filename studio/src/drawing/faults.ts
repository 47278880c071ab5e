import type { SlotId } from "creative-packs-service/slots";
import type { WallFault, WallFaultCode } from "./types.ts";

/** Makes a fault; of no slot unless one is named. */
export const faultOf = (code: WallFaultCode, message: string, slot: SlotId | null = null): WallFault => ({
  code,
  message,
  slot,
});

export const CANCELLED: WallFault = faultOf("CANCELLED", "Nobody waits for this drawing any more.");

export const unreachable = (cause: unknown): WallFault =>
  faultOf("ENGINE_UNREACHABLE", `The engine's files could not be loaded: ${String(cause)}`);

/** The engine broke (`crashed`) or did not answer (`stalled`), in a second worker too. */
export const brokenDown = (how: "crashed" | "stalled", message: string): WallFault =>
  how === "crashed"
    ? faultOf("ENGINE_CRASHED", `The engine broke down: ${message}`)
    : faultOf("ENGINE_STALLED", "The engine did not answer in time.");

const PASSING: readonly WallFaultCode[] = [
  "ENGINE_UNREACHABLE",
  "FONTS_UNREACHABLE",
  "ENGINE_CRASHED",
  "ENGINE_STALLED",
];

/** Whether the same inputs may be drawn at another time. */
export const mayPass = ({ code }: WallFault): boolean => PASSING.includes(code);
