import type { SlotId } from "creative-packs-service/slots";
import type { EngineFault, EngineFaultCode } from "./types.ts";

/** Creates a fault. */
export const faultOf = (code: EngineFaultCode, message: string, slot: SlotId | null = null): EngineFault => ({
  code,
  message,
  slot,
});

export const CANCELED: EngineFault = faultOf("CANCELED", "This drawing is no longer needed.");

export const unreachable = (cause: unknown): EngineFault =>
  faultOf("ENGINE_UNREACHABLE", `The engine's files could not be loaded: ${String(cause)}`);

/** Fault for a task that crashed two workers in a row, or got no response from either (`stalled`). */
export const brokenDown = (how: "crashed" | "stalled", message: string): EngineFault =>
  how === "crashed"
    ? faultOf("ENGINE_CRASHED", `The engine broke down: ${message}`)
    : faultOf("ENGINE_STALLED", "The engine did not answer in time.");

const PASSING: readonly EngineFaultCode[] = [
  "ENGINE_UNREACHABLE",
  "FONTS_UNREACHABLE",
  "ENGINE_CRASHED",
  "ENGINE_STALLED",
];

/** Whether the same inputs may succeed later. */
export const mayPass = ({ code }: EngineFault): boolean => PASSING.includes(code);
