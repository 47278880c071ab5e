/** Maximum number of unknown names that an error lists; a longer list would not help. */
export const NAMES_SHOWN_MAX = 10;

/** Names in backticks, for messages. */
export const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
