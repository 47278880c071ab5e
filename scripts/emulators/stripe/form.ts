/** Parameters by their bracketed names, as `line_items[0][price]`. */
export type Form = ReadonlyMap<string, string>;

/** Reads a form body or a query. https://docs.stripe.com/api: requests are form-encoded. */
export const readForm = (text: string): Form => new Map(new URLSearchParams(text));

/** The members of a map parameter: `metadata[a]` and `metadata[b]` as {a, b}. */
export function readMap(form: Form, name: string): Record<string, string> {
  const members: Record<string, string> = {};
  for (const [key, value] of form) {
    if (key.startsWith(`${name}[`) && key.endsWith("]")) members[key.slice(name.length + 1, -1)] = value;
  }
  return members;
}

/** The values of a list parameter, written `types[]` or `types[0]`. */
export function readList(query: URLSearchParams, name: string): string[] {
  return [...query].filter(([key]) => key.startsWith(`${name}[`)).map(([, value]) => value);
}

/** A whole number of the form, or null when it is absent or none. */
export function readWhole(form: Form, name: string): number | null {
  const value = Number(form.get(name) ?? "none");
  return Number.isInteger(value) ? value : null;
}
