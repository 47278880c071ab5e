import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEngine } from "#renderer/engine.ts";
import { rasteriseSvg } from "#renderer/svg/index.ts";
import {
  BYTES_MAX,
  DRAWN_DEPTH_MAX,
  STEPS_BASE,
  STEPS_PER_BYTE,
  WorkBudget,
  WRITTEN_CHARACTERS_MAX,
} from "#renderer/svg/limits.ts";
import { type Sanitised, sanitiseSvg } from "#renderer/svg/sanitise.ts";
import { parseStyleSheet } from "#renderer/svg/style-sheet.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { unwrap } from "../support/unwrap.ts";
import { documentOf, SVG_CHAINS, SVG_FAMILIES } from "./svg-families.ts";

/**
 * Guarantee: the work of reading an SVG is linear in its bytes, whatever its content, and bounded. No SVG can overflow
 * the stack of the reader or the rasteriser, or expand past a fixed length.
 */

const SIZE = 2_000;
/** Steps that do not grow with the file. */
const STEPS_APART = 2_000;

function measure(source: string): { bytes: number; steps: number; outcome: string } {
  const bytes = Buffer.from(source);
  const steps = new WorkBudget(Number.POSITIVE_INFINITY);
  const read = sanitiseSvg(bytes, steps);
  return { bytes: bytes.length, steps: steps.taken, outcome: codeOf(read) };
}

const codeOf = (read: Sanitised): string => (read.ok ? "ok" : read.code);
const read = (source: string): Sanitised => sanitiseSvg(Buffer.from(source));

describe("twice the size takes at most twice the steps, and no more than the limit", () => {
  it.each(SVG_FAMILIES)("$name", ({ make }) => {
    const [one, two, four] = [1, 2, 4].map((times) => measure(make(SIZE * times)));
    if (one === undefined || two === undefined || four === undefined) throw new Error("three sizes");
    expect(two.steps).toBeLessThanOrEqual(2.1 * one.steps + STEPS_APART);
    expect(four.steps).toBeLessThanOrEqual(2.1 * two.steps + STEPS_APART);
    for (const { steps, bytes } of [one, two, four]) {
      expect(steps).toBeLessThanOrEqual(STEPS_BASE + STEPS_PER_BYTE * bytes);
    }
  });
});

describe("the count of steps covers all work", () => {
  it("reading stops with a rejection at the bound, at any step", () => {
    const source = Buffer.from(documentOf('<style>.a{fill:red}</style><path class="a" d="M0 0L9 9"/>'));
    const whole = new WorkBudget(Number.POSITIVE_INFINITY);
    expect(codeOf(sanitiseSvg(source, whole))).toBe("ok");
    for (let max = 0; max < whole.taken; max += 7) {
      expect(codeOf(sanitiseSvg(source, new WorkBudget(max)))).toBe("TOO_LARGE");
    }
    expect(codeOf(sanitiseSvg(source, new WorkBudget(whole.taken)))).toBe("ok");
  });

  it("no regular expression reads input, because it would count no steps", () => {
    const folder = join(import.meta.dirname, "../../src/renderer/svg");
    for (const name of readdirSync(folder).filter((file) => file.endsWith(".ts"))) {
      const code = readFileSync(join(folder, name), "utf8")
        .replace(/\/\*[\s\S]*?\*\//g, "")
        .replace(/^\s*\/\/.*$/gm, "")
        .replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
      expect(code, name).not.toMatch(/RegExp|\.match\(|\.matchAll\(|\.search\(|\.replace\(|[=(,:]\s*\/[^/*]/);
    }
  });
});

describe("small files with large expansions are rejected before expansion", () => {
  it("a long value for each of many elements", () => {
    const elements = (count: number): string => '<g class="b"/>'.repeat(count);
    expect(codeOf(read(documentOf(`<style>*{fill:${"a".repeat(100_000)}}</style>${elements(4_000)}`)))).toBe(
      "TOO_LARGE",
    );
    const short = (count: number): Sanitised =>
      read(documentOf(`<style>*{fill:${"a".repeat(1_000)}}</style>${elements(count)}`));
    expect(codeOf(short(9_000))).toBe("TOO_LARGE");
    const taken = short(3_000);
    expect(codeOf(taken)).toBe("ok");
    if (taken.ok) expect(taken.value.content.length).toBeLessThan(WRITTEN_CHARACTERS_MAX);
  });

  it("2 MB of selectors: selectors past the limit are not read", () => {
    const steps = new WorkBudget(Number.POSITIVE_INFINITY);
    const css = "a,".repeat(BYTES_MAX / 2);
    expect(parseStyleSheet(css, steps)).toMatchObject({ ok: false, code: "TOO_LARGE" });
    // Seven passes look for comments and external references; the selectors add a few thousand steps.
    expect(steps.taken).toBeLessThan(7 * css.length + 10_000);
  });

  it("values that have more characters in the output than in the file", () => {
    const elements = (count: number): string => `<g id='${'"'.repeat(200)}'/>`.repeat(count);
    expect(codeOf(read(documentOf(elements(3_000))))).toBe("ok");
    expect(codeOf(read(documentOf(elements(5_000))))).toBe("TOO_LARGE");
  });
});

describe("chains of references are followed to a limit, and longer chains are rejected with advice", () => {
  const engine = loadCodecModules().then(createEngine);

  it.each(Object.entries(SVG_CHAINS))("%s: thousands of links", (_name, make) => {
    const refused = read(make(4_000));
    expect(refused).toMatchObject({ ok: false, code: "TOO_LARGE" });
    if (!refused.ok) expect(refused.message).toMatch(/Expand|Flatten|Simplify/);
  });

  it.each(Object.entries(SVG_CHAINS))("%s: the longest accepted chain is drawn", async (_name, make) => {
    let links = DRAWN_DEPTH_MAX;
    while (links > 0 && !read(make(links)).ok) links -= 1;
    expect(links).toBeGreaterThan(5);
    const taken = unwrap(read(make(links)));
    const drawn = await rasteriseSvg(await engine, taken, 16, 16);
    expect(drawn.ok).toBe(true);
  });

  it("a cyclic chain of references ends", () => {
    const ring = Array.from(
      { length: 3_000 },
      (_, id) => `<g id="a${id}"><use href="#a${(id + 1) % 3_000}"/></g>`,
    );
    expect(codeOf(read(documentOf(ring.join(""))))).toBe("FORBIDDEN_CONTENT");
  });
});
