const LISTS_AT = 8;
const LOOKUP_HEADER_BYTES = 6;

/**
 * Subtables of all lookups of a `GSUB` or `GPOS` table (OpenType 1.9, "Lookup list table"), those that lookups share
 * counted for each: the shaper may try all of them at every letter. 0 for a table that is too short for a list.
 */
export function subtablesOf(table: DataView): number {
  if (table.byteLength < LISTS_AT + 2) return 0;
  const list = table.getUint16(LISTS_AT);
  if (list === 0 || list + 2 > table.byteLength) return 0;
  const lookups = table.getUint16(list);
  let subtables = 0;
  for (let at = list + 2; at < list + 2 + lookups * 2 && at + 2 <= table.byteLength; at += 2) {
    const lookup = list + table.getUint16(at);
    if (lookup + LOOKUP_HEADER_BYTES <= table.byteLength) subtables += table.getUint16(lookup + 4);
  }
  return subtables;
}
