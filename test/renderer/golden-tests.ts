import { describe, expect, it } from "vitest";
import { FAMILIES, type Shape } from "#renderer/index.ts";
import { drawGoldens, readSignatures } from "../golden/draw-goldens.ts";
import { distanceBetween, isSameLook, signatureOf } from "../golden/signature.ts";

/** Shapes in which `npm test` draws each family, one wide and one large; golden.long.test.ts draws the others. */
export const QUICK_SHAPES: readonly Shape[] = ["banner", "square"];

export function testGoldens(shapes: readonly Shape[]): void {
  describe("each family matches its accepted golden", () => {
    it.each(FAMILIES)("%s", { timeout: 120_000 }, async (family) => {
      const signatures = await readSignatures();
      const changed: string[] = [];
      for (const { golden, bytes } of await drawGoldens(family, shapes)) {
        const accepted = signatures[golden.name];
        if (accepted === undefined) throw new Error(`${golden.name} was never accepted`);
        const distance = distanceBetween(accepted, await signatureOf(bytes));
        if (isSameLook(distance)) continue;
        changed.push(
          `${golden.name}: ${distance.bits} bits of structure, ${distance.colour.toFixed(1)} of colour`,
        );
      }
      const advice =
        "Look with `npm run golden`; if it is meant, accept it with `npm run golden -- --update`.";
      expect(changed, advice).toEqual([]);
    });
  });
}
