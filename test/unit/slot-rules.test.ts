import { expect, it } from "vitest";
import { SLOT_IDS, type SlotId } from "#api/slots.ts";
import { checkSlotCombination } from "#domains/assets/slot-rules.ts";

/** The rules of API §2.8, written independently of the service's table. */
function isAllowed(has: (slotId: SlotId) => boolean): boolean {
  if (has("secondaryMedia") && !has("media")) return false;
  const isMediaLike = has("media") || has("secondaryMedia");
  if (has("product") && (isMediaLike || has("device") || has("person"))) return false;
  if (has("person") && (isMediaLike || has("device"))) return false;
  return !(has("device") && isMediaLike);
}

const everySetOfSlots = Array.from({ length: 2 ** SLOT_IDS.length }, (_, bits) =>
  SLOT_IDS.filter((_slotId, index) => (bits >> index) & 1),
);

it("every set of slots is accepted or rejected according to these rules", () => {
  for (const slots of everySetOfSlots) {
    const outcome = checkSlotCombination(slots);
    expect(outcome.ok, slots.join("+")).toBe(isAllowed((slotId) => slots.includes(slotId)));
  }
});

it("the order of slots does not matter", () => {
  for (const slots of everySetOfSlots) {
    expect(checkSlotCombination([...slots].reverse())).toEqual(checkSlotCombination(slots));
  }
});

it("conflicting slots are rejected with a 422 code that names them", () => {
  expect(checkSlotCombination(["secondaryMedia", "logo"])).toMatchObject({
    ok: false,
    code: "SLOT_COMBINATION_UNSUPPORTED",
    details: { slots: ["secondaryMedia", "media"] },
  });
  expect(checkSlotCombination(["device", "media"])).toMatchObject({
    ok: false,
    code: "SLOT_COMBINATION_UNSUPPORTED",
    details: { slots: ["media", "device"] },
  });
});
