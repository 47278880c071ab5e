/** Fills the `{{placeholders}}` of a template, in one pass: what a value holds is never a placeholder itself. */

/** By its name: a text, or lines of one. */
export type TemplateValues = Readonly<Record<string, string | readonly string[]>>;

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/** A placeholder without a value is a bug: the template and its values stand in this module. */
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

/** Safe in an element's text and in a quoted attribute. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (found) => ESCAPES[found] ?? "");

export const fillHtml = (template: string, values: TemplateValues): string =>
  template.replace(PLACEHOLDER, (_, name: string) => linesOf(values, name).map(escapeHtml).join("<br/>"));

/** In one line, whatever the values hold: a line break would begin another header. */
export const fillSubject = (template: string, values: TemplateValues): string =>
  fillText(template, values)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ")
    .trim();
