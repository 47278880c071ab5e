import type { Bomb } from "../bomb.ts";
import { BOX, bomb, DRAWN, FORBIDDEN, MALFORMED, svg, TOO_LARGE } from "./bomb.ts";

/** XML itself. */
export const XML_BOMBS: readonly Bomb[] = [
  bomb(
    "entities that expand a billionfold",
    () =>
      `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, level) => {
        const name = String.fromCharCode(98 + level);
        return `<!ENTITY ${name} "${`&${String.fromCharCode(97 + level)};`.repeat(10)}">`;
      }).join("")}]>${svg("<title>&j;</title>")}`,
    FORBIDDEN,
  ),
  bomb(
    "an entity that reads a file",
    () => `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg(`<title>&x;</title>${BOX}`)}`,
    FORBIDDEN,
  ),
  bomb("nesting 100,000 deep", () => svg("<g>".repeat(100_000) + "</g>".repeat(100_000)), TOO_LARGE),
  bomb("a hundred thousand elements", () => svg(BOX.repeat(69_000)), TOO_LARGE),
  bomb(
    "a million attributes",
    () => svg(`<rect ${Array.from({ length: 200_000 }, (_, at) => `a${at}=""`).join(" ")}/>`),
    TOO_LARGE,
  ),
  bomb("an attribute name of 2 MB", () => `<svg ${"a".repeat(2_000_000)}`, ["TRUNCATED/ASSET_UNREADABLE"]),
  bomb("two million blanks in a tag", () => `<svg${" ".repeat(2_000_000)}x>`, MALFORMED),
  // All references were looked up before the first unknown one was complained of: 350 MB of matches.
  bomb("a million ampersands", () => svg(`<title>${"&".repeat(1_900_000)}</title>${BOX}`), FORBIDDEN),
  bomb(
    "an entity of a kilobyte, 300,000 times",
    () =>
      `<!DOCTYPE svg [<!ENTITY a "${"a".repeat(1_000)}">]>${svg(`<title>${"&a;".repeat(300_000)}</title>${BOX}`)}`,
    TOO_LARGE,
  ),
  bomb(
    "a hundred thousand entities",
    () => {
      const entities = Array.from({ length: 100_000 }, (_, at) => `<!ENTITY e${at} "">`).join("");
      return `<!DOCTYPE svg [${entities}]>${svg(BOX)}`;
    },
    TOO_LARGE,
  ),
  bomb(
    "an attribute list without an end",
    () => `<!DOCTYPE svg [${"<!ATTLIST a '".repeat(150_000)}]>${svg(BOX)}`,
    ["TRUNCATED/ASSET_UNREADABLE", ...MALFORMED],
  ),
  bomb("200,000 document types", () => "<!DOCTYPE>".repeat(200_000), MALFORMED),
  bomb("400,000 comments", () => svg("<!---->".repeat(280_000) + BOX), DRAWN),
];
