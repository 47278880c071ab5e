/** Parameters by their bracketed names, as `line_items[0][price]`. */
export type Form = ReadonlyMap<string, string>;

/** Reads a form body. https://docs.stripe.com/api: requests are form-encoded. */
export const readForm = (text: string): Form => new Map(new URLSearchParams(text));

/** The members of a map parameter: `metadata[a]` and `metadata[b]` as {a, b}. */
export const readMap = (form: Form, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...form]
      .filter(([key]) => key.startsWith(`${name}[`))
      .map(([key, value]) => [key.slice(name.length + 1, -1), value]),
  );
