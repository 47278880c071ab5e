import { expect, it } from "vitest";
import { preferredWait } from "#interface/http/prefer-wait.ts";

/** `Prefer` is parsed as RFC 7240 §2 specifies; invalid values count as no preference. */

it.each([
  [undefined, null],
  ["wait=10", 10],
  ["WAIT = 10", 10],
  ['respond-async, wait="7"; a=b, wait=9', 7],
  ["handling=lenient;x=1,wait=31", 30],
  ['note="a, wait=5", wait=6', 6],
  ["wait=99999999999", null],
  ["wait=0", null],
  ["wait=-1", null],
  ["wait=1.5", null],
  ["wait", null],
  ["nowait=3", null],
  ["x;wait=3", null],
])("Prefer: %s requests a wait of %s seconds", (header, seconds) => {
  expect(preferredWait(header)).toBe(seconds);
});
