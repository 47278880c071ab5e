/** A schema as an HTML list: each member with its type and description, and its own members collapsed below it. */
import { escapeHtml } from "./html.ts";
import { renderWords } from "./markdown.ts";
import { type ApiDescription, resolveSchema, type Schema } from "./openapi.ts";

/** A type in a few words, such as `array of string` or `integer or null`. */
function typeWords(api: ApiDescription, given: Schema): string {
  const schema = resolveSchema(api, given);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return "one of";
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) {
    const words = choices.map((choice) => typeWords(api, choice));
    return [...new Set(words)].join(" or ");
  }
  if (schema.items !== undefined)
    return `array of ${typeWords(api, schema.items).replace(/^one of$/, "values")}`;
  const types = schema.type === undefined ? ["any"] : [schema.type].flat();
  return types.join(" or ") + (schema.format === undefined ? "" : ` (${schema.format})`);
}

const span = (low: number | undefined, high: number | undefined, unit: string): string[] => {
  const count = (value: number) => value.toLocaleString("en-US");
  if (low !== undefined && high !== undefined) return [`${count(low)} to ${count(high)}${unit}`];
  if (high !== undefined) return [`at most ${count(high)}${unit}`];
  return low === undefined || low === 0 ? [] : [`at least ${count(low)}${unit}`];
};

/** The limits of a value in words, such as `1 to 80 characters`. */
function bounds(schema: Schema): string {
  return [
    ...span(schema.minLength, schema.maxLength, " characters"),
    ...span(schema.minimum, schema.maximum, ""),
    ...span(schema.minItems, schema.maxItems, " items"),
  ].join(", ");
}

const values = (given: readonly unknown[] | undefined): string =>
  given === undefined
    ? ""
    : `<p class="values">${given.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(" ")}</p>`;

/**
 * The object schemas in a value, including those in arrays and alternatives. The title is the name in `$ref`, or
 * `Members`.
 */
function membered(
  api: ApiDescription,
  given: Schema,
): readonly { readonly title: string; readonly schema: Schema }[] {
  const schema = resolveSchema(api, given);
  if (schema.items !== undefined) return membered(api, schema.items);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return choices.flatMap((choice) => membered(api, choice));
  return schema.properties === undefined
    ? []
    : [{ title: given.$ref?.split("/").at(-1) ?? "Members", schema }];
}

interface Row {
  readonly name: string;
  readonly given: Schema;
  readonly isRequired: boolean;
}

function row(api: ApiDescription, { name, given, isRequired }: Row): string {
  const schema = resolveSchema(api, given);
  const item = schema.items === undefined ? schema : resolveSchema(api, schema.items);
  const limit = bounds(schema);
  const inner = membered(api, given);
  return `<li><p class="member"><code>${escapeHtml(name)}</code> <span class="type">${escapeHtml(typeWords(api, given))}${limit === "" ? "" : `, ${escapeHtml(limit)}`}</span>${isRequired ? ' <span class="required">required</span>' : ""}</p>${renderWords(schema.description ?? "")}${values(item.enum)}${inner.map(({ title, schema: each }) => `<details><summary>${escapeHtml(title)}</summary>${memberList(api, each)}</details>`).join("")}</li>`;
}

function memberList(api: ApiDescription, { properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, given]) =>
    row(api, { name, given, isRequired: required.includes(name) }),
  );
  return `<ul class="members">${rows.join("")}</ul>`;
}

/** A list of named values, such as parameters. */
export const parameterRows = (api: ApiDescription, rows: readonly Row[]): string =>
  `<ul class="members">${rows.map((each) => row(api, each)).join("")}</ul>`;

/** The members of a body. If it can have several shapes, each is collapsible and the first is open. */
export function bodyRows(api: ApiDescription, given: Schema): string {
  const shapes = membered(api, given);
  const [first] = shapes;
  if (first === undefined) return "";
  if (shapes.length === 1) return memberList(api, first.schema);
  return shapes
    .map(
      ({ title, schema }, at) =>
        `<details${at === 0 ? " open" : ""}><summary>${escapeHtml(title)}</summary>${memberList(api, schema)}</details>`,
    )
    .join("");
}

/** The schema of an envelope's `data`; any other schema unchanged. */
export function enveloped(api: ApiDescription, given: Schema): Schema {
  const { properties } = resolveSchema(api, given);
  return properties?.meta === undefined ? given : (properties.data ?? given);
}
