import type { PackRequest, SavedBrand } from "creative-packs";
import { ASSET_FIELDS, COPY_FIELDS, columnName, parseTable } from "creative-packs/table";
import { TEXT_FIELDS } from "#editor/draft/draft.ts";
import { CHARACTERS_MAX, filled, type TextFault, textFault } from "#editor/order/pack-request.ts";

/** The design that the rows modify, and the brands that they can refer to. */
export interface Base {
  readonly request: PackRequest;
  readonly brands: readonly SavedBrand[];
}

/** A pack of a table. `name` is unique and a valid folder name on every system; `assetIds` may be https URLs. */
export interface PlannedPack {
  readonly name: string;
  readonly request: PackRequest;
  readonly faults: readonly {
    readonly field: string;
    readonly kind: TextFault | "missing" | "unknown";
    readonly max?: number;
  }[];
}

const FIELDS = ["name", "brand", ...[...ASSET_FIELDS, ...COPY_FIELDS].map(({ name }) => name)];
const LANGUAGE = /^[:-][a-z]{2,3}(-[a-z0-9]{2,8})*$/;

/**
 * Parses a table into packs, and returns the titles of unused columns. Each row becomes one pack, or one pack per
 * language if there are columns such as `headline:de`. Null if the text is not a table.
 */
export function readPackTable(text: string, base: Base) {
  const columns: string[] = [];
  const unused: string[] = [];
  const readTitle = (title: string): string => {
    const name = columnName(title);
    const field = FIELDS.find((one) => name.startsWith(one) && LANGUAGE.test(name.slice(one.length)));
    const column = field === undefined ? name : `${field}:${name.slice(field.length + 1)}`;
    if (columns.includes(column) || !FIELDS.includes(field ?? name)) return `${unused.push(title)}`;
    columns.push(column);
    return column;
  };
  try {
    const rows = parseTable(text, (header) => header.map(readTitle));
    const translated = columns.map((column) => column.split(":")).filter(({ length }) => length > 1);
    // A column `headline` beside `headline:de` adds a pack without a language.
    const hasPlain = translated.length === 0 || translated.some(([field = ""]) => columns.includes(field));
    const languages = new Set([
      ...(hasPlain ? [""] : []),
      ...translated.map(([, language = ""]) => language),
    ]);
    const plan = ({ cells }: (typeof rows)[number], at: number): readonly PlannedPack[] =>
      [...languages].map((language) => planPack(cells, at + 1, language, base));
    return { packs: rows.flatMap(plan), unused };
  } catch {
    return null;
  }
}

type Cells = Readonly<Record<string, string>>;

/** An empty cell clears the base's text; a missing column keeps it. */
function planPack(cells: Cells, row: number, suffix: string, { request, brands }: Base): PlannedPack {
  const cell = (field: string): string | undefined => cells[`${field}:${suffix}`] ?? cells[field];
  const brandName = cell("brand") ?? "";
  const brandId = brands.find((one) => brandName === one.brandId || brandName === one.name)?.brandId;
  const copy = filled(COPY_FIELDS.map(({ name, member }) => [member, cell(name) ?? request.copy?.[member]]));
  const faults = TEXT_FIELDS.flatMap((field): PlannedPack["faults"] => {
    const kind = field === "headline" && cell(field) === "" ? "missing" : textFault(copy, field);
    return kind === null ? [] : [{ field, kind, max: CHARACTERS_MAX[field] }];
  });
  // Drop the draft's texts of single sizes: they would replace the row's texts.
  const overrides = Object.entries(request.overrides ?? {}).map(
    ([id, { copy: _, ...own }]) => [id, own] as const,
  );
  return {
    name: `${row} ${cell("name") ?? ""} ${suffix}`
      .replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, "_")
      .slice(0, 80)
      .trim(),
    request: {
      ...request,
      ...(brandId && { brandId }),
      assetIds: filled(ASSET_FIELDS.map(({ name, slot }) => [slot, cell(name) || request.assetIds[slot]])),
      copy: suffix === "" ? copy : { ...copy, language: suffix },
      overrides: Object.fromEntries(overrides),
    },
    faults: brandName === "" || brandId ? faults : [...faults, { field: brandName, kind: "unknown" }],
  };
}
