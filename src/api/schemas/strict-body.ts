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

/** The known name closest to an unknown one, or undefined if none is close. */
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

/** A request may have ten thousand unknown names; a few suffice in the message. */
const UNKNOWN_SHOWN_MAX = 5;

/** An object schema that rejects unknown names and suggests the closest known one. */
const strictOf = <S extends z.ZodRawShape>(shape: S, what: "member" | "parameter") => {
  const known = Object.keys(shape);
  const all = known.length === 0 ? "; the operation has none." : `; known: ${known.join(", ")}.`;
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return undefined;
      return (issue.keys ?? [])
        .slice(0, UNKNOWN_SHOWN_MAX)
        .map((key) => {
          const nearest = nearestName(key, known);
          return `Unknown ${what} \`${key.slice(0, 64)}\`${nearest ? `; did you mean \`${nearest}\`?` : all}`;
        })
        .join(" ");
    },
  });
};

/** A body schema that rejects unknown members. */
export const strictBody = <S extends z.ZodRawShape>(shape: S) => strictOf(shape, "member");

/** A query schema that rejects unknown parameters. */
export const strictQuery = <S extends z.ZodRawShape>(shape: S) => strictOf(shape, "parameter");

/** Object literals and assignment cannot create this member, so zod would drop it silently. */
const PROTO = "__proto__";
/** Replaces `__proto__`, so that it is rejected as an unknown name. */
const PROTO_NAME = "__proto__ ";

/** An unknown name as it was sent: restores a renamed `__proto__`. */
export const requestedName = (name: string): string => (name === PROTO_NAME ? PROTO : name);

/** Renames a `__proto__` member so that zod sees it. Other values are returned unchanged. */
export function nameProto(members: unknown): unknown {
  if (typeof members !== "object" || members === null || !Object.hasOwn(members, PROTO)) return members;
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name === PROTO ? PROTO_NAME : name, value]),
  );
}
