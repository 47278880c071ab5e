import { accept, type Outcome, refuse } from "#api/errors.ts";
import { SLOT_IDS, SLOTS, type SlotId } from "#api/slots.ts";

/** Checks that the slots may be filled together (API §2.8, slot combination rules); 422 names the conflicting slots. */
export function checkSlotCombination(slots: readonly SlotId[]): Outcome<void> {
  const filled = new Set(slots);
  for (const slotId of SLOT_IDS) {
    if (!filled.has(slotId)) continue;
    const { requires, excludes } = SLOTS[slotId];
    const missing = requires.filter((other) => !filled.has(other));
    if (missing.length > 0) {
      return refuse("SLOT_COMBINATION_UNSUPPORTED", `\`${slotId}\` requires \`${missing.join("`, `")}\`.`, {
        slots: [slotId, ...missing],
      });
    }
    const clashing = excludes.filter((other) => filled.has(other));
    if (clashing.length > 0) {
      return refuse(
        "SLOT_COMBINATION_UNSUPPORTED",
        `\`${slotId}\` cannot be combined with \`${clashing.join("`, `")}\`.`,
        { slots: [slotId, ...clashing] },
      );
    }
  }
  return accept(undefined);
}
