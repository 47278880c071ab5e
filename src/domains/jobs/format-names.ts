/** More unknown names in a message do not help a reader. */
export const NAMES_SHOWN_MAX = 10;

/** Names in backticks, for messages. */
export const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
