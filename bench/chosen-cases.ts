import { Failure } from "../scripts/local/failure.ts";

/**
 * The cases in `--only`, in the order of `all`; all cases without it. Each value may list several ids, separated by
 * commas. Throws a Failure that lists all ids if one is unknown.
 */
export function chosenCases<Case extends { readonly id: string }>(
  all: readonly Case[],
  only: readonly string[],
): readonly Case[] {
  const ids = only.flatMap((value) => value.split(",")).map((id) => id.trim());
  const unknown = ids.filter((id) => !all.some((known) => known.id === id));
  if (unknown.length > 0) {
    const named = unknown.map((id) => `"${id}"`).join(", ");
    throw new Failure(`There is no case ${named}. Cases: ${all.map(({ id }) => id).join(", ")}.`);
  }
  return ids.length === 0 ? all : all.filter(({ id }) => ids.includes(id));
}
