/** Unknown names in a message beyond this add nothing for a reader. */
export const NAMES_SHOWN_MAX = 10;

/** Names as messages show them. */
export const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
