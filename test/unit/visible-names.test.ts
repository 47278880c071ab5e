import { expect, it } from "vitest";
import { nameOf } from "#api/schemas/primitives.ts";

const name = nameOf(40, "Ada");

it.each([
  ["zero-width spaces and joiners", "\u200b\u200d\u2060\ufeff"],
  ["Hangul fillers", "\u3164\u115f\uffa0"],
  ["the blank Braille pattern", "\u2800"],
  ["variation selectors and a soft hyphen", "\ufe0f\u00ad\u034f"],
  ["private characters", "\ue000"],
])("a name of only %s is rejected", (_, text) => {
  expect(name.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
    "must have a character that can be seen",
  ]);
});

it("names of all scripts, and of signs and emoji, are accepted", () => {
  for (const text of ["Ada", "春の企画", "حملة", "می\u200cخواهم", "👩\u200d🎨", "-", "é", "7"]) {
    expect(name.parse(text)).toBe(text);
  }
});
