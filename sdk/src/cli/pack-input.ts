import type { Brand, ButtonStyle, Copy, Look, Motion, OutputFormat, PackRequest, SlotId } from "../index.ts";
import type { DesignReader } from "./design-file.ts";
import { ASSET_FIELDS, BRAND_FIELDS, COPY_FIELDS } from "./pack-fields.ts";
import { mistakesOf } from "./usage-error.ts";

/** A pack as described by the user: assets may be paths, and sizes may be `all`. */
export interface PackInput extends Design {
  readonly contractId: string;
  readonly sizes: readonly string[] | "all";
  readonly outputFormat: OutputFormat | null;
  readonly motion: Motion;
  /** Paths, asset ids or https URLs. */
  readonly assets: Readonly<Partial<Record<SlotId, string>>>;
  readonly copy: Copy;
  readonly brand: Brand;
}

/** Optional members. An unset member must be absent, because rows are identified by a hash of their members. */
type Design = Readonly<
  Pick<
    PackRequest,
    | "network"
    | "clickUrl"
    | "brandId"
    | "buttonStyle"
    | "look"
    | "variant"
    | "composition"
    | "scale"
    | "placements"
    | "overrides"
  >
>;
type Variant = NonNullable<Design["variant"]>;
type Composition = NonNullable<Design["composition"]>;

/** Default contract: one that offers the format if it is HTML5 or MP4, otherwise `display.v1`. */
const contractFor = (format: OutputFormat | null): string =>
  format === "html5" ? "display.v3" : format === "mp4" ? "campaign.v3" : "display.v1";

const FORMATS: readonly OutputFormat[] = ["png", "jpg", "webp", "gif", "apng", "html5", "mp4"];
const LOOKS: readonly Look[] = ["classic", "bold", "editorial", "minimal", "retail", "premium", "playful"];
const BUTTONS: readonly ButtonStyle[] = [
  ...(["pill", "soft", "square"] as const),
  ...(["pill_outline", "soft_outline", "square_outline", "rule"] as const),
];
const VARIANTS: readonly Variant[] = [1, 2, 3];
const COMPOSITIONS: readonly Composition[] = ["auto", "full_bleed", "split", "framed", "overlap"];
const MOTIONS: readonly Motion[] = ["static", "animated"];

/** Accepted values of fields with few values. */
export const CHOICES = {
  format: FORMATS,
  network: ["google", "adform", "amazon", "xandr"] as const satisfies readonly Design["network"][],
  "button-style": BUTTONS,
  look: LOOKS,
  variant: VARIANTS,
  composition: COMPOSITIONS,
  motion: MOTIONS,
  scale: [1, 2] as const,
};

/**
 * Reads a pack from fields of options or of a row. `defaults` replace absent or empty fields. Each mistake is appended
 * to `mistakes`, starting with the field's name, and its member is omitted.
 */
export async function readPackInput(
  given: Readonly<Record<string, string | undefined>>,
  designs: DesignReader,
  mistakes: string[],
  defaults: Readonly<Record<string, string | undefined>> = {},
): Promise<PackInput> {
  const read = (name: string): string | null => given[name]?.trim() || defaults[name]?.trim() || null;
  const oneOf = <T extends string | number>(name: string, known: readonly T[]): T | null => {
    const value = read(name);
    const found = known.find((item) => String(item) === value) ?? null;
    if (value !== null && found === null)
      mistakes.push(`${name} is \`${value}\`. Choose one of: ${known.join(", ")}.`);
    return found;
  };
  const design = async <T>(name: string, parse: (given: string) => Promise<T>): Promise<T | null> => {
    const value = read(name);
    if (value === null) return null;
    return parse(value).catch((error) => {
      mistakes.push(...mistakesOf(error));
      return null;
    });
  };
  const outputFormat = oneOf("format", CHOICES.format);
  const network = oneOf("network", CHOICES.network);
  const clickUrl = read("click-url");
  const brandId = read("brand");
  const buttonStyle = oneOf("button-style", CHOICES["button-style"]);
  const look = oneOf("look", CHOICES.look);
  const variant = oneOf("variant", CHOICES.variant);
  const composition = oneOf("composition", CHOICES.composition);
  const scale = oneOf("scale", CHOICES.scale);
  const placements = await design("placements", (text) => designs.placements(text));
  const overrides = await design("overrides", (text) => designs.overrides(text));
  return {
    contractId: read("contract") ?? contractFor(outputFormat),
    sizes: readSizes(read("sizes") ?? "all"),
    outputFormat,
    motion: oneOf("motion", CHOICES.motion) ?? "static",
    assets: gather(ASSET_FIELDS.map(({ slot, name }) => [slot, read(name)])),
    copy: gather(COPY_FIELDS.map(({ member, name }) => [member, read(name)])),
    brand: gather(BRAND_FIELDS.map(({ member, name }) => [member, read(name)])),
    ...(network === null ? {} : { network }),
    ...(clickUrl === null ? {} : { clickUrl }),
    ...(brandId === null ? {} : { brandId }),
    ...(buttonStyle === null ? {} : { buttonStyle }),
    ...(look === null ? {} : { look }),
    ...(variant === null ? {} : { variant }),
    ...(composition === null ? {} : { composition }),
    ...(scale === null ? {} : { scale }),
    ...(placements === null ? {} : { placements }),
    ...(overrides === null ? {} : { overrides }),
  };
}

/** The members that have a value. */
function gather<K extends string>(
  entries: readonly (readonly [K, string | null])[],
): Partial<Record<K, string>> {
  const gathered: Partial<Record<K, string>> = {};
  for (const [member, value] of entries) if (value !== null) gathered[member] = value;
  return gathered;
}

function readSizes(text: string): readonly string[] | "all" {
  if (text === "all") return "all";
  const sizes = text.split(/[\s,;]+/).filter((size) => size !== "");
  return [...new Set(sizes)];
}
