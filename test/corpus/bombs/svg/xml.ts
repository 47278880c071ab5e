import type { Bomb } from "../bomb.ts";
import { BOX, bomb, DRAWN, FORBIDDEN, MALFORMED, svg, TOO_LARGE } from "./bomb.ts";

/** XML itself. */
export const XML_BOMBS: readonly Bomb[] = [
  bomb(
    "entities that expand a billionfold",
    FORBIDDEN,
    () =>
      `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, level) => {
        const name = String.fromCharCode(98 + level);
        return `<!ENTITY ${name} "${`&${String.fromCharCode(97 + level)};`.repeat(10)}">`;
      }).join("")}]>${svg("<title>&j;</title>")}`,
  ),
  bomb(
    "an entity that reads a file",
    FORBIDDEN,
    () => `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg(`<title>&x;</title>${BOX}`)}`,
  ),
  bomb("nesting 100,000 deep", TOO_LARGE, () => svg("<g>".repeat(100_000) + "</g>".repeat(100_000))),
  bomb("a hundred thousand elements", TOO_LARGE, () => svg(BOX.repeat(69_000))),
  bomb("a million attributes", TOO_LARGE, () =>
    svg(`<rect ${Array.from({ length: 200_000 }, (_, at) => `a${at}=""`).join(" ")}/>`),
  ),
  bomb("an attribute name of 2 MB", ["TRUNCATED/ASSET_UNREADABLE"], () => `<svg ${"a".repeat(2_000_000)}`),
  bomb("two million blanks in a tag", MALFORMED, () => `<svg${" ".repeat(2_000_000)}x>`),
  // All references were looked up before the first unknown one was complained of: 350 MB of matches.
  bomb("a million ampersands", FORBIDDEN, () => svg(`<title>${"&".repeat(1_900_000)}</title>${BOX}`)),
  bomb(
    "an entity of a kilobyte, 300,000 times",
    TOO_LARGE,
    () =>
      `<!DOCTYPE svg [<!ENTITY a "${"a".repeat(1_000)}">]>${svg(`<title>${"&a;".repeat(300_000)}</title>${BOX}`)}`,
  ),
  bomb("a hundred thousand entities", TOO_LARGE, () => {
    const entities = Array.from({ length: 100_000 }, (_, at) => `<!ENTITY e${at} "">`).join("");
    return `<!DOCTYPE svg [${entities}]>${svg(BOX)}`;
  }),
  bomb(
    "an attribute list without an end",
    ["TRUNCATED/ASSET_UNREADABLE", ...MALFORMED],
    () => `<!DOCTYPE svg [${"<!ATTLIST a '".repeat(150_000)}]>${svg(BOX)}`,
  ),
  bomb("200,000 document types", MALFORMED, () => "<!DOCTYPE>".repeat(200_000)),
  bomb("400,000 comments", DRAWN, () => svg("<!---->".repeat(280_000) + BOX)),
];
