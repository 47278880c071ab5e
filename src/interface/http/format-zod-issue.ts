import type { z } from "@hono/zod-openapi";

/** Messages of zod's issues, as phrases that follow the name of a member: "must be …". */

const TYPES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a text",
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: "a time as 2026-06-18T12:00:00Z",
  email: "an e-mail address",
  url: "an address",
  uuid: "a UUID",
};

const UNITS: Readonly<Record<string, string>> = { string: "character", array: "item" };

/** `at least 1 item`, `at most 200 characters`, `at least 1`. */
function bound(word: "least" | "most", origin: string, limit: number | bigint): string {
  const unit = UNITS[origin];
  const verb = unit === undefined ? "be" : "have";
  return `must ${verb} at ${word} ${limit}${unit === undefined ? "" : ` ${unit}${limit === 1 ? "" : "s"}`}`;
}

const oneOf = (values: readonly unknown[]): string =>
  `must be ${values.length > 1 ? "one of " : ""}${values.map((value) => `\`${String(value)}\``).join(", ")}`;

/** The phrase for an issue without a message of its schema; undefined for zod's default. */
export function formatZodIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== "invalid_union" && issue.input === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return TYPES[issue.expected] === undefined ? undefined : `must be ${TYPES[issue.expected]}`;
    case "invalid_format":
      if (issue.format === "regex") return `must match ${issue.pattern}`;
      return FORMATS[issue.format] === undefined ? undefined : `must be ${FORMATS[issue.format]}`;
    case "invalid_value":
      return oneOf(issue.values);
    case "invalid_union":
      return Array.isArray(issue.options) ? oneOf(issue.options) : undefined;
    case "too_small":
      return bound("least", issue.origin, issue.minimum);
    case "too_big":
      return bound("most", issue.origin, issue.maximum);
    default:
      return undefined;
  }
}
