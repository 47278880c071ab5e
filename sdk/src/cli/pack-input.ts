import type { Brand, ButtonStyle, Copy, Look, Motion, OutputFormat, PackRequest, SlotId } from "../index.ts";
import type { DesignReader } from "./design-file.ts";
import { ASSET_FIELDS, BRAND_FIELDS, COPY_FIELDS } from "./pack-fields.ts";
import { UsageError } from "./usage-error.ts";

/** A pack as somebody asks for it: files by their paths, sizes perhaps by `all`. */
export interface PackInput extends Design {
  readonly contractId: string;
  readonly sizes: readonly string[] | "all";
  readonly outputFormat: OutputFormat | null;
  readonly motion: Motion;
  /** Paths, ids of assets or https addresses. */
  readonly assets: Readonly<Partial<Record<SlotId, string>>>;
  readonly copy: Copy;
  readonly brand: Brand;
}

/** Absent where nothing was chosen: the hash of such a row is what it was before there were looks. */
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

/** The contract where none is named: the first of banners, or one whose sizes take the format. */
const contractFor = (format: OutputFormat | null): string =>
  format === "html5" ? "display.v3" : format === "mp4" ? "campaign.v3" : "display.v1";

const FORMATS: readonly OutputFormat[] = ["png", "jpg", "webp", "gif", "apng", "html5", "mp4"];
const NETWORKS = ["google", "adform", "amazon", "xandr"] as const satisfies readonly Design["network"][];
const LOOKS: readonly Look[] = ["classic", "bold", "editorial", "minimal", "retail", "premium", "playful"];
const BUTTONS: readonly ButtonStyle[] = [
  ...(["pill", "soft", "square"] as const),
  ...(["pill_outline", "soft_outline", "square_outline", "rule"] as const),
];
const VARIANTS: readonly Variant[] = [1, 2, 3];
const COMPOSITIONS: readonly Composition[] = ["auto", "full_bleed", "split", "framed", "overlap"];
const MOTIONS: readonly Motion[] = ["static", "animated"];

/**
 * Reads a pack from its fields by name, of options or of a row; `defaults` fill in what is absent or empty. Throws a
 * `UsageError` that names the field.
 */
export async function readPackInput(
  given: Readonly<Record<string, string | undefined>>,
  designs: DesignReader,
  defaults: Readonly<Record<string, string | undefined>> = {},
): Promise<PackInput> {
  const read = (name: string): string | null => given[name]?.trim() || defaults[name]?.trim() || null;
  const format = read("format");
  const outputFormat = format === null ? null : oneOf("format", format, FORMATS);
  const network = read("network");
  const clickUrl = read("click-url");
  const brandId = read("brand");
  const buttonStyle = read("button-style");
  const look = read("look");
  const variant = read("variant");
  const composition = read("composition");
  const scale = read("scale");
  const placements = read("placements");
  const overrides = read("overrides");
  return {
    contractId: read("contract") ?? contractFor(outputFormat),
    sizes: readSizes(read("sizes") ?? "all"),
    outputFormat,
    motion: oneOf("motion", read("motion") ?? "static", MOTIONS),
    assets: gather(ASSET_FIELDS.map(({ slot, name }) => [slot, read(name)])),
    copy: gather(COPY_FIELDS.map(({ member, name }) => [member, read(name)])),
    brand: gather(BRAND_FIELDS.map(({ member, name }) => [member, read(name)])),
    ...(network === null ? {} : { network: oneOf("network", network, NETWORKS) }),
    ...(clickUrl === null ? {} : { clickUrl }),
    ...(brandId === null ? {} : { brandId }),
    ...(buttonStyle === null ? {} : { buttonStyle: oneOf("button-style", buttonStyle, BUTTONS) }),
    ...(look === null ? {} : { look: oneOf("look", look, LOOKS) }),
    ...(variant === null ? {} : { variant: oneOf("variant", variant, VARIANTS) }),
    ...(composition === null ? {} : { composition: oneOf("composition", composition, COMPOSITIONS) }),
    ...(scale === null ? {} : { scale: oneOf("scale", scale, [1, 2] as const) }),
    ...(placements === null ? {} : { placements: await designs.placements(placements) }),
    ...(overrides === null ? {} : { overrides: await designs.overrides(overrides) }),
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

function oneOf<T extends string | number>(name: string, value: string, known: readonly T[]): T {
  const found = known.find((item) => String(item) === value);
  if (found === undefined)
    throw new UsageError(`${name} is \`${value}\`. Choose one of: ${known.join(", ")}.`);
  return found;
}
