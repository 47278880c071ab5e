import { expect, it } from "vitest";
import { findCitationFaults, UNTESTABLE } from "../../scripts/check/citations.ts";

const untestable = Object.keys(UNTESTABLE).map((id) => `- **\u00a7${id}** Words.\n`);
const REFERENCE = `${untestable.join("")}- **\u00a77.7** Words.\n- **\u00a77.8** Words.\n`;
const faultsOf = (text: string, path = "test/unit/some.test.ts") =>
  findCitationFaults(REFERENCE, [{ path, text }]);
/** The § is escaped, because the check also reads this file. */
const cite = (...ids: string[]) => `API ${ids.map((id) => `\u00a7${id}`).join(", ")}`;

it("the check accepts existing clauses, one or several at once", () => {
  expect(faultsOf(cite("7.7", "7.8"))).toEqual([]);
  expect(faultsOf(`${cite("7.7")} and ${cite("7.8")} beside RFC 9110 \u00a78.3`)).toEqual([]);
});

it("the check reports an unknown clause, a clause without a test, and an unknown section", () => {
  expect(faultsOf(cite("7.7", "7.8", "99.1"))).toEqual([
    "test/unit/some.test.ts cites API \u00a799.1, which docs/api.md does not have",
  ]);
  expect(faultsOf(cite("7.7", "7.8"), "src/some.ts")).toEqual([
    "docs/api.md \u00a77.7 is cited by no test",
    "docs/api.md \u00a77.8 is cited by no test",
  ]);
  expect(faultsOf(`${cite("7.7", "7.8")}, contract \u00a74`)).toHaveLength(1);
});
