import { expect, it } from "vitest";
import { applyMutation, findMutations } from "../../scripts/test/mutants/mutate-source.ts";

const SOURCE = `export async function take(sizes: number[], limit: number | null): Promise<boolean> {
  if (limit !== null && sizes.length > limit) return false;
  await db.batch([guard.bind(db), insert.bind(db, { limit })]);
  return true;
}
`;

it("mutants invert operators, conditions, numbers, booleans, list elements and calls, one at a time", () => {
  const lines = SOURCE.split("\n");
  const changed = findMutations(SOURCE, "take.ts").map((mutation) => {
    const mutant = applyMutation(SOURCE, mutation).split("\n");
    return mutant.filter((line, at) => line !== lines[at]).map((line) => line.trim());
  });
  expect(changed).toEqual([
    ["if (!(limit !== null && sizes.length > limit)) return false;"],
    ["if (limit === null && sizes.length > limit) return false;"],
    ["if (limit !== null || sizes.length > limit) return false;"],
    ["if (limit !== null && sizes.length >= limit) return false;"],
    ["if (limit !== null && sizes.length < limit) return false;"],
    ["if (limit !== null && sizes.length > limit) return true;"],
    [";"],
    ["await db.batch([...[], insert.bind(db, { limit })]);"],
    ["await db.batch([guard.bind(db), ...[]]);"],
    ["return false;"],
  ]);
});

it("a source that does not parse is an error", () => {
  expect(() => findMutations("const = ;", "broken.ts")).toThrow("broken.ts");
});
