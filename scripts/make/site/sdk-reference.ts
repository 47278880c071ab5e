/** Lists every call of the client library as Markdown, from the docstrings and signatures in sdk/src. */
import { globSync, readFileSync } from "node:fs";
import { inRoot } from "../../local/paths.ts";

/** Matches an exported class with its docstring and body. */
const CLASS = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport class (\w+)[^{]*\{\n([\s\S]*?)\n\}/g;
/** Matches a public method or getter with its docstring. */
const METHOD =
  /^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(?:async )?(get )?(\w+)(?:<[^>]*>)?\(([^)]*(?:\([^)]*\)[^)]*)*)\)(?:: ([^{\n]+))? \{$/gm;
const MEMBER = /^ {2}readonly (\w+): (\w+Resource);$/gm;

/** The text of a docstring, without its example. */
const wordsOf = (docstring: string): string =>
  docstring
    .replace(/^ *\* ?/gm, "")
    .split("@example")[0]
    ?.replace(/\s+/g, " ")
    .replaceAll("|", "\\|")
    .trim() ?? "";

/** `name` or `name?` of a declared parameter. A destructured one is named after its rest element, or its members. */
function parameterName(declared: string): string {
  const members = /^\{([^}]*)\}/.exec(declared)?.[1];
  const isOptional = / = |\?:/.test(declared.replace(/^\{[^}]*\}/, ""));
  const name =
    members === undefined
      ? /^\w+/.exec(declared)?.[0]
      : (/\.\.\.(\w+)/.exec(members)?.[1] ?? `{ ${members.replace(/ = [^,]+/g, "?").trim()} }`);
  return isOptional ? `${name}?` : `${name}`;
}

/** Splits declared parameters at commas outside brackets. */
function splitParameters(text: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text.replace(/\s+/g, " ")) {
    if ("{[<(".includes(character)) depth += 1;
    if ("}])>".includes(character)) depth -= 1;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

const tableOf = (body: string, prefix: string): string => {
  const rows = [...body.matchAll(METHOD)].map(([, docstring = "", getter, name = "", parameters = ""]) => {
    const call = getter === undefined ? `(${splitParameters(parameters).map(parameterName).join(", ")})` : "";
    return `| \`${prefix}.${name}${call}\` | ${wordsOf(docstring)} |`;
  });
  return ["| call | what it does |", "| --- | --- |", ...rows].join("\n");
};

/** The section "Every call" of the library's page. Throws if the class of a client member has no docstring. */
export function sdkReference(): string {
  const read = (path: string): string => readFileSync(inRoot(path), "utf8");
  const sources = globSync(["sdk/src/resources/*.ts", "sdk/src/packs/*.ts"], { cwd: inRoot(".") });
  const classes = new Map(
    sources.flatMap((path) =>
      [...read(path).matchAll(CLASS)].map(
        ([, docstring = "", name = "", body = ""]) => [name, { about: wordsOf(docstring), body }] as const,
      ),
    ),
  );
  const section = (title: string, className: string, prefix: string): string => {
    const found = classes.get(className);
    if (found === undefined) throw new Error(`sdk/src has no documented class ${className}`);
    return `### ${title}\n\n${found.about}\n\n${tableOf(found.body, prefix)}\n`;
  };
  const members = [...read("sdk/src/client.ts").matchAll(MEMBER)].map(
    ([, name = "", className = ""]) => [name, className] as const,
  );
  return [
    "## Every call",
    "",
    "Shapes of requests and answers are those of the [reference](/docs/reference); the package exports a type for each. `options` are those of every call.",
    "",
    ...members.map(([name, className]) => section(`client.${name}`, className, `client.${name}`)),
    section("A pack", "Pack", "pack"),
  ].join("\n");
}
