/** Fills a template's `{{placeholders}}` in one pass, so that values cannot contain placeholders. */

/** Values by placeholder: a text or several lines. */
export type TemplateValues = Readonly<Record<string, string | readonly string[]>>;

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/** A missing value is a bug, because this module has both templates and values. */
function linesOf(values: TemplateValues, name: string): readonly string[] {
  const value = values[name];
  if (value === undefined) throw new Error(`a mail's template has no value for ${name}`);
  return typeof value === "string" ? [value] : value;
}

export const fillText = (template: string, values: TemplateValues): string =>
  template.replace(PLACEHOLDER, (_, name: string) => linesOf(values, name).join("\n"));

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for elements and quoted attributes. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (found) => ESCAPES[found] ?? "");

export const fillHtml = (template: string, values: TemplateValues): string =>
  template.replace(PLACEHOLDER, (_, name: string) => linesOf(values, name).map(escapeHtml).join("<br/>"));

/** In one line, because a line break in a value would begin another header. */
export const fillSubject = (template: string, values: TemplateValues): string =>
  fillText(template, values)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ")
    .trim();
