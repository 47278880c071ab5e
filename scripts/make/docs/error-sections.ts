/** Generated list of docs/guides/errors.md: each code with an example message and the next action. */
import { ERRORS, type ErrorCode } from "#api/errors.ts";
import { ERROR_EXAMPLES } from "#interface/openapi/error-examples.ts";
import { code, codes } from "./markdown-table.ts";

/** Meaning of each HTTP status in a few words, for the headings. */
const STATUS_TITLES: Readonly<Record<number, string>> = {
  400: "the request's shape",
  401: "authentication",
  402: "payment",
  403: "permission",
  404: "not found",
  405: "another method",
  409: "conflict with the current state",
  413: "too many bytes",
  415: "another content type",
  422: "a valid request that cannot be fulfilled",
  429: "too many requests",
  500: "a failure of the service",
  501: "not configured",
  502: "no result",
  503: "temporarily unavailable",
};

function section(name: ErrorCode): string {
  const { nextAction, safeToRetryUnchanged } = ERRORS[name];
  const { message, details } = ERROR_EXAMPLES[name];
  const members = Object.keys(details ?? {});
  return [
    `### ${code(name)}`,
    `> ${message}`,
    `**Next:** ${nextAction}`,
    `**Again unchanged:** ${safeToRetryUnchanged ? "yes" : "no"}.${members.length > 0 ? ` **In \`details\`:** ${codes(members)}.` : ""}`,
  ].join("\n\n");
}

const names = Object.keys(ERRORS).filter((name): name is ErrorCode => name in ERRORS);
const statuses = [...new Set(names.map((name) => ERRORS[name].status))].sort((left, right) => left - right);

export const ERROR_SECTIONS = statuses
  .map((status) =>
    [
      `## ${status}: ${STATUS_TITLES[status] ?? ""}`,
      ...names.filter((name) => ERRORS[name].status === status).map(section),
    ].join("\n\n"),
  )
  .join("\n\n");
