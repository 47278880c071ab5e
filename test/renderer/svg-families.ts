/**
 * Families of SVGs of any requested size, one for each way in which a reader may read text again, search for a missing
 * end, recurse, or multiply one part of a file by another.
 */

export interface SvgFamily {
  readonly name: string;
  /** A document of about `size` characters. */
  readonly make: (size: number) => string;
}

const HEAD =
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 1000 1000">';
const BOX = '<rect width="10" height="10"/>';
export const documentOf = (content: string): string => `${HEAD}${content}${BOX}</svg>`;

/** `text` repeated to about `size` characters. */
const filled = (text: string, size: number): string => text.repeat(Math.ceil(size / text.length));
/** Numbered parts, about `size` characters in all. */
function counted(part: (index: number) => string, size: number): string {
  const parts: string[] = [];
  for (let length = 0, index = 0; length < size; index += 1) {
    const made = part(index);
    parts.push(made);
    length += made.length;
  }
  return parts.join("");
}

const family = (name: string, make: (size: number) => string): SvgFamily => ({ name, make });
const inside = (name: string, content: (size: number) => string): SvgFamily =>
  family(name, (size) => documentOf(content(size)));
/** One shape with a long attribute value: `filling` repeated between `before` and `behind`. */
const valued = (attribute: string, before: string, filling: string, behind = ""): SvgFamily =>
  inside(`${attribute}="${before}${filling}…${behind}"`, (size) => {
    const value = `${before}${filled(filling, size)}${behind}`;
    return `<path d="M0 0h9" ${attribute === "d" ? "" : `${attribute}="${value}"`}/>${attribute === "d" ? `<path d="${value}"/>` : ""}`;
  });
const styled = (name: string, css: (size: number) => string): SvgFamily =>
  inside(`style sheet: ${name}`, (size) => `<style>${css(size)}</style>`);
const doctyped = (name: string, subset: (size: number) => string, content = ""): SvgFamily =>
  family(`document type: ${name}`, (size) => `<!DOCTYPE svg [${subset(size)}]>${documentOf(content)}`);

const MARKUP: readonly SvgFamily[] = [
  ...["<!--", "<![CDATA[", "<?a ", "<", "</", "&", "<a ", '<a b="', "<!DOCTYPE ", "]]>", "-->", "/>"].map(
    (mark) => inside(`"${mark}" over and over`, (size) => filled(mark, size)),
  ),
  ...["<!-- -->", "<![CDATA[ ]]>", "<?a ?>", "<g/>", "<title>a</title>", "&#32;", "&lt;", " \n", "text "].map(
    (mark) => inside(`"${mark}" over and over`, (size) => filled(mark, size)),
  ),
  family("a name without an end", (size) => `<svg ${filled("a", size)}`),
  family("blanks in a tag", (size) => `<svg${filled(" ", size)}x>`),
  family("blanks before an equals sign", (size) => `<svg a${filled(" ", size)}="1">`),
  family("blanks in an end tag", (size) => `${HEAD}${BOX}</svg${filled(" ", size)}>`),
  family("text before the root", (size) => `${filled(" ", size)}${documentOf("")}`),
  inside("attributes in one tag", (size) => `<path ${counted((at) => `a${at}="" `, size)}/>`),
  inside("attributes in many tags", (size) => filled('<path a="" b="" c="" d="M0 0h1" fill="red"/>', size)),
  inside("groups inside one another", (size) => `${filled("<g>", size / 2)}${filled("</g>", size / 2)}`),
  inside("namespaces inside one another", (size) =>
    filled(`${'<g xmlns:a="b">'.repeat(60)}<a:b/><path a:href="#c"/>${"</g>".repeat(60)}`, size),
  ),
  inside("elements of other namespaces", (size) => filled("<x:a><x:b>c</x:b></x:a>", size)),
];

const DOCTYPES: readonly SvgFamily[] = [
  ...[
    "<!ENTITY ",
    "<!ENTITY a ",
    '<!ENTITY a "',
    "<!ATTLIST ",
    "<!ATTLIST a '",
    "<!--",
    "<?",
    " ",
    "%a;",
  ].map((mark) => doctyped(`"${mark}" over and over`, (size) => filled(mark, size))),
  doctyped("entities", (size) => counted((at) => `<!ENTITY e${at} "a">`, size)),
  doctyped("attribute lists", (size) => filled("<!ATTLIST a b CDATA 'c>'>", size)),
  doctyped("a long entity", (size) => `<!ENTITY a "${filled("a", size)}">`, "<title>&a;</title>"),
  family(
    "document type: an entity used often",
    (size) =>
      `<!DOCTYPE svg [<!ENTITY a "${"b".repeat(1_000)}">]>${documentOf(`<title>${filled("&a;", size)}</title>`)}`,
  ),
  family("document type: no end", (size) => `<!DOCTYPE ${filled("a ", size)}`),
];

const VALUES: readonly SvgFamily[] = [
  valued("transform", "scale(1)", " ", "x"),
  valued("transform", "", "scale(1) "),
  valued("transform", "scale(", "1 ", ")"),
  valued("transform", "scale", " ", "(1)"),
  valued("transform", "", ",", "scale(1)"),
  valued("transform", "", "scale"),
  valued("d", "M0 0", "L9 9"),
  valued("d", "M0 0", " 9", " x"),
  valued("d", "M", " ", "0 0"),
  valued("d", "M0 0", "a1 1 0 01 1 1"),
  valued("d", "M0 0L", ".1"),
  valued("d", "M0 0L", "1e"),
  valued("d", "M0 0L", "-"),
  valued("d", "M0 0L1", "1"),
  valued("d", "M0 0L1.", "1", "x"),
  valued("d", "", "z"),
  valued("stroke-dasharray", "", "1 "),
  valued("stroke-dasharray", "1", "1"),
  valued("fill", "url(", " ", "#a)"),
  valued("fill", "", "url("),
  valued("fill", "", "u"),
  valued("fill", "", "url(#a)"),
  valued("style", "", "fill:url(#a);"),
  valued("style", "fill:red", " !"),
  valued("style", "", ";"),
  valued("style", "", ":"),
  valued("style", "fill:", "expression "),
  valued("style", "", "a"),
  valued("class", "", "a "),
  valued("class", "", " ", "a"),
  valued("id", "", "a"),
  valued("systemLanguage", "", "de,"),
  valued("href", "#", "a"),
  valued("href", " ", " "),
  family("width of digits", (size) => `<svg width="${filled("1", size)}x" height="1">${BOX}</svg>`),
  family("view box of blanks", (size) => `<svg viewBox="0${filled(" ", size)}0 9 x">${BOX}</svg>`),
  inside("points", (size) => `<polygon points="${filled("0 0 999 500 ", size)}"/>`),
  inside("blurs", (size) => `<filter id="f"><feGaussianBlur stdDeviation="${filled("1 ", size)}"/></filter>`),
];

const SHEETS: readonly SvgFamily[] = [
  styled("comments without an end", (size) => filled("/* ", size)),
  styled("comments", (size) => filled("/* */", size)),
  styled("selectors without a block", (size) => filled("a,", size)),
  styled("selectors", (size) => `${filled("a,", size)}b{fill:red}`),
  styled("one long selector", (size) => `${filled(".a", size)}{fill:red}`),
  styled("rules", (size) => counted((at) => `.a${at}{fill:red}`, size)),
  styled("blocks without an end", (size) => filled("a{", size)),
  styled("ends without a block", (size) => filled("}", size)),
  styled("declarations", (size) => `a{${filled("fill:red;", size)}}`),
  styled("a long value", (size) => `a{fill:${filled("a", size)}}`),
  styled("at-rules", (size) => filled("@charset 'a';", size)),
  styled("font faces", (size) => filled("@font-face{a:b}", size)),
  styled("at signs", (size) => filled("@", size)),
  styled("relics of old browsers", (size) => filled("expression ", size)),
  styled("marks of comments of HTML", (size) => filled("<![CDATA[<!---->]]>", size)),
  inside("style sheets", (size) => filled("<style>.a{fill:red}</style>", size)),
  // Many rules and many elements that they match; each takes half of the file.
  inside(
    "rules of classes by elements of them",
    (size) =>
      `<style>${counted((at) => `.a${at % 500}{fill:red;opacity:1}`, Math.min(size / 2, 9_000))}</style>${counted((at) => `<g class="a${at % 500}"/>`, size / 2)}`,
  ),
  inside(
    "universal rules by elements",
    (size) =>
      `<style>${filled("*{fill:red;stroke:red}", Math.min(size / 2, 9_000))}</style>${filled("<g/>", size / 2)}`,
  ),
  inside(
    "rules of several parts by elements",
    (size) => `<style>${"g.a.b{fill:red}".repeat(60)}</style>${filled('<g class="a b"/>', size)}`,
  ),
  inside(
    "a long value by elements",
    (size) => `<style>*{fill:${"a".repeat(1_000)}}</style>${filled("<g/>", size)}`,
  ),
  inside(
    "many references by elements",
    (size) =>
      `<style>*{fill:${"url(#a)".repeat(140)}}</style><linearGradient id="a"/>${filled("<g/>", size)}`,
  ),
];

type Link = (id: number) => string;

/** Elements `a0` … `aN`, each of which references the element before, and an element that draws `aN`. */
interface Chain {
  readonly first: string;
  readonly link: Link;
  readonly last: Link;
}

const DRAWN_BY = { fill: "fill", filter: "filter", clipPath: "clip-path", mask: "mask" } as const;
const drawnBy =
  (by: keyof typeof DRAWN_BY): Link =>
  (id) =>
    `<rect width="99" height="99" ${DRAWN_BY[by]}="url(#a${id})"/>`;
const usesOf = (name: "g" | "symbol"): Chain => ({
  first: `<${name} id="a0">${BOX}</${name}>`,
  link: (id) => `<${name} id="a${id}"><use href="#a${id - 1}"/></${name}>`,
  last: (id) => `<use href="#a${id}"/>`,
});
const madeFrom = (name: string, attributes = "", content = BOX): Chain => ({
  first: `<${name} id="a0"${attributes}>${content}</${name}>`,
  link: (id) => `<${name} id="a${id}" href="#a${id - 1}"/>`,
  last: drawnBy(name === "filter" ? "filter" : "fill"),
});
const cutBy = (name: "clipPath" | "mask"): Chain => ({
  first: `<${name} id="a0">${BOX}</${name}>`,
  link: (id) => `<${name} id="a${id}" ${DRAWN_BY[name]}="url(#a${id - 1})">${BOX}</${name}>`,
  last: drawnBy(name),
});

const CHAINS: Readonly<Record<string, Chain>> = {
  "uses of uses": usesOf("g"),
  "symbols of symbols": usesOf("symbol"),
  "linear gradients of gradients": madeFrom("linearGradient", "", "<stop/>"),
  "radial gradients of gradients": madeFrom("radialGradient", "", "<stop/>"),
  "patterns of patterns": madeFrom("pattern", ' width="1" height="1"'),
  "filters of filters": madeFrom("filter", "", ""),
  "clips of clips": cutBy("clipPath"),
  "masks of masks": cutBy("mask"),
  "patterns filled with patterns": {
    first: `<pattern id="a0" width="9" height="9">${BOX}</pattern>`,
    link: (id) =>
      `<pattern id="a${id}" width="9" height="9"><rect width="9" height="9" fill="url(#a${id - 1})"/></pattern>`,
    last: drawnBy("fill"),
  },
};

/**
 * For each chain, a function that makes a document with the given number of links. Filters are excluded, because a
 * filter cannot reference a filter.
 */
export const SVG_CHAINS: Readonly<Record<string, (links: number) => string>> = Object.fromEntries(
  Object.entries(CHAINS)
    .filter(([name]) => name !== "filters of filters")
    .map(([name, { first, link, last }]) => [
      name,
      (links) => {
        const all = Array.from({ length: links }, (_, index) => link(index + 1)).join("");
        return documentOf(`<defs>${first}${all}</defs>${last(links)}`);
      },
    ]),
);

const REFERENCES: readonly SvgFamily[] = [
  ...Object.entries(CHAINS).map(([name, { first, link, last }]) =>
    inside(name, (size) => {
      let links = 0;
      const all = counted((index) => {
        links = index + 1;
        return link(links);
      }, size);
      return `<defs>${first}${all}</defs>${last(links)}`;
    }),
  ),
  inside("uses of uses, backwards in the file", (size) =>
    counted((at) => `<g id="a${at}"><use href="#a${at + 1}"/></g>`, size),
  ),
  inside("uses of one group", (size) => `<g id="a">${BOX.repeat(9)}</g>${filled('<use href="#a"/>', size)}`),
  inside(
    "uses of one long path",
    (size) => `<path id="a" d="M0 0h9${filled(" ", size / 2)}"/>${filled('<use href="#a"/>', size / 2)}`,
  ),
  inside(
    "uses of one long transform",
    (size) =>
      `<path id="a" d="M0 0h9" transform="scale(1)${filled(" ", size / 2)}"/>${filled('<use href="#a"/>', size / 2)}`,
  ),
  inside("one id over and over", (size) => filled('<g id="a"/>', size)),
  inside("ids", (size) => counted((at) => `<g id="a${at}"/>`, size)),
  inside("switches inside one another", (size) =>
    filled(`${"<switch>".repeat(30)}<g/>${"</switch>".repeat(30)}`, size),
  ),
  inside("children of one switch", (size) => `<switch>${filled('<g systemLanguage="de"/>', size)}</switch>`),
  inside("markers", (size) => counted((at) => `<marker id="a${at}"><path d="M0 0h1"/></marker>`, size)),
  inside("dashes", (size) => filled('<path stroke="red" stroke-dasharray="1 2" d="M0 0h9"/>', size)),
];

export const SVG_FAMILIES: readonly SvgFamily[] = [
  ...MARKUP,
  ...DOCTYPES,
  ...VALUES,
  ...SHEETS,
  ...REFERENCES,
];
