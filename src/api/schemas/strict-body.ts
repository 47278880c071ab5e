import { z } from "@hono/zod-openapi";

/** Edit distance (Levenshtein), for names of at most a few dozen characters. */
function distance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}

/** The known name nearest to an unknown one, or undefined when none is near. */
export function nearestName(unknown: string, known: readonly string[]): string | undefined {
  const name = unknown.slice(0, 64).toLowerCase();
  const ranked = known
    .map((candidate) => ({ candidate, edits: distance(name, candidate.toLowerCase()) }))
    .sort((left, right) => left.edits - right.edits);
  const best = ranked[0];
  return best && best.edits <= Math.max(2, Math.floor(best.candidate.length / 2))
    ? best.candidate
    : undefined;
}

/** A body may have ten thousand unknown members; the first few tell what is wrong. */
const UNKNOWN_SHOWN_MAX = 5;

/** An object that refuses unknown members, naming each and the nearest known one. */
export const strictBody = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return undefined;
      const known = Object.keys(shape);
      return (issue.keys ?? [])
        .slice(0, UNKNOWN_SHOWN_MAX)
        .map((key) => {
          const nearest = nearestName(key, known);
          return `Unknown member \`${key.slice(0, 64)}\`${nearest ? `; did you mean \`${nearest}\`?` : `; known: ${known.join(", ")}.`}`;
        })
        .join(" ");
    },
  });
