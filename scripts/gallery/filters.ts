import { parseArgs } from "node:util";
import { LOOK_IDS } from "#catalogue/looks.ts";
import { SIZES } from "#catalogue/sizes.ts";
import { FAMILIES } from "#renderer/index.ts";
import { Failure } from "../local/failure.ts";
import { SETS } from "./packs.ts";

/** Null selects all. */
export interface Filters {
  readonly family: string | null;
  readonly set: string | null;
  readonly look: string | null;
  readonly sizeId: string | null;
}

/** Parses `--family f`, `--set s`, `--look l` and `--size id`. */
export function readFilters(): Filters {
  const options = {
    family: { type: "string" },
    set: { type: "string" },
    look: { type: "string" },
    size: { type: "string" },
  } as const;
  try {
    const { values } = parseArgs({ options });
    return {
      family: oneOf("--family", values.family, FAMILIES),
      set: oneOf("--set", values.set, SETS),
      look: oneOf("--look", values.look, LOOK_IDS),
      sizeId: oneOf(
        "--size",
        values.size,
        SIZES.map((size) => size.sizeId),
      ),
    };
  } catch (thrown) {
    if (thrown instanceof Failure || !(thrown instanceof TypeError)) throw thrown;
    throw new Failure(`${thrown.message}\nThe options are --family, --set, --look and --size.`);
  }
}

function oneOf(option: string, value: string | undefined, known: readonly string[]): string | null {
  if (value === undefined) return null;
  if (known.includes(value)) return value;
  throw new Failure(`${option} takes one of: ${known.join(", ")}.`);
}
