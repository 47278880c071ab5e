import { useQueries, useQuery } from "@tanstack/react-query";
import type { SavedBrand } from "creative-packs";
import { withBrand } from "creative-packs-service/brand-design";
import { LOOK_IDS } from "creative-packs-service/looks";
import type { SlotId } from "creative-packs-service/slots";
import { useWorkspaceId } from "#app/workspace.ts";
import { type Draft, hasPicture } from "#editor/draft/draft.ts";
import { useDraft } from "#editor/draft/editor-store.ts";
import { setFile, setText } from "#editor/draft/edits.ts";
import { ownDesignOf } from "#editor/order/pack-request.ts";
import type { DrawInputs, SlotFile } from "#engine/types.ts";
import { brandsQuery } from "#packs/pack-queries.ts";
import { type BrandForm, brandFileQuery, EMPTY_BRAND } from "./brand-queries.ts";

/** Merges drafts with their brands. */

/** The open draft's brand; null if it has none, undefined while loading. */
export function useDraftBrand(): SavedBrand | null | undefined {
  const brandId = useDraft((draft) => draft.brandId);
  const { data, fetchStatus } = useQuery({ ...brandsQuery(useWorkspaceId()), enabled: brandId !== null });
  if (brandId === null) return null;
  // Offline, draw the pack without its brand.
  if (data === undefined) return fetchStatus === "fetching" ? undefined : null;
  return data.find((brand) => brand.brandId === brandId) ?? null;
}

/** Whether there is anything to draw: a picture of the open draft, or its brand's logo. */
export function useHasPicture(): boolean {
  const { logoOnLight, logoOnDark } = useDraftBrand()?.assetIds ?? {};
  return useDraft(hasPicture) || logoOnLight !== undefined || logoOnDark !== undefined;
}

/** A brand's logos and fonts for the engine; null while loading. Files that fail to load are left out. */
export function useBrandFiles(assetIds: SavedBrand["assetIds"] = {}): readonly SlotFile[] | null {
  const workspaceId = useWorkspaceId();
  const ids = Object.values(assetIds);
  return useQueries({
    queries: ids.map((id) => brandFileQuery(workspaceId, id)),
    combine: (results) =>
      results.some(({ isLoading }) => isLoading)
        ? null
        : results.flatMap(({ data }, index) =>
            data ? [{ id: ids[index] ?? "", mimeType: data.file.mimeType, file: data.kept.bytes }] : [],
          ),
  });
}

/** Engine inputs of a draft: its own values and files, and those of its brand, merged as an order would merge them. */
export function brandedInputs(
  draft: Draft,
  ownFiles: Readonly<Partial<Record<SlotId, SlotFile>>>,
  brand: SavedBrand | null,
  brandFiles: readonly SlotFile[],
): Pick<DrawInputs, "assets" | "copy" | "brand" | "look" | "buttonStyle"> {
  const files = new Map([...Object.values(ownFiles), ...brandFiles].map((file) => [file.id, file]));
  const assetIds = Object.fromEntries(Object.entries(ownFiles).map(([slot, { id }]) => [slot, id]));
  const branded = withBrand({ ...ownDesignOf(draft), assetIds }, brand ?? {});
  const { look = LOOK_IDS[0], buttonStyle, copy, brand: colours } = branded;
  const named = Object.entries({ ...branded.assetIds, ...branded.brandAssetIds });
  const assets = Object.fromEntries(named.map(([name, id]) => [name, files.get(id ?? "")]));
  return { assets, copy, brand: colours, look, buttonStyle };
}

/** The design of a new brand: the draft's, merged with its brand's. `own`: assets of the draft's own files. */
export function designOfDraft(
  draft: Draft,
  own: { readonly logo?: string | undefined; readonly font?: string | undefined },
  brand: SavedBrand | null,
): BrandForm {
  const design = ownDesignOf(draft);
  const { look, buttonStyle, copy, assetIds, brandAssetIds } = withBrand(
    { ...design, assetIds: own },
    brand ?? {},
  );
  return {
    ...EMPTY_BRAND,
    colors: { ...brand?.colors, ...design.brand },
    assetIds: {
      ...(assetIds.logo && { logoOnLight: assetIds.logo }),
      ...(assetIds.font && { headlineFont: assetIds.font }),
      ...brandAssetIds,
    },
    ...{ look: look ?? null, buttonStyle: buttonStyle ?? null },
    ...{ disclaimer: copy.disclaimer ?? null, language: copy.language ?? null },
  };
}

/** The members of a draft or a job that a brand can supply. */
interface Design {
  readonly assetIds: { readonly [slot: string]: string | undefined };
  readonly brandAssetIds?: { readonly logoOnDark?: string; readonly textFont?: string };
  readonly copy: { readonly disclaimer?: string | undefined; readonly language?: string | undefined };
  readonly brand: object;
  readonly look?: string | undefined;
  readonly buttonStyle?: string | null | undefined;
}

export const PART_NAMES = ["logo", "font", "colours", "look", "button", "disclaimer", "language"] as const;
type PartName = (typeof PART_NAMES)[number];

/** Each part of a design as a string for comparison; empty if it is not set. */
const partsOf = ({ assetIds, brandAssetIds, copy, brand, look, buttonStyle }: Design) =>
  ({
    logo: [assetIds.logo, brandAssetIds?.logoOnDark].filter(Boolean).join(),
    font: [assetIds.font, brandAssetIds?.textFont].filter(Boolean).join(),
    colours: Object.entries(brand).sort().join(),
    look: look ?? "",
    button: buttonStyle ?? "",
    disclaimer: copy.disclaimer ?? "",
    language: copy.language ?? "",
  }) satisfies Record<PartName, string>;

const partsOfBrand = (brand: SavedBrand) => partsOf(withBrand({ assetIds: {} }, brand));

/** The parts that a brand supplies. `isOwn`: the draft overrides the part. */
export function brandParts(brand: SavedBrand, draft: Draft) {
  const { logo, font } = draft.files;
  const own = partsOf({ ...ownDesignOf(draft), assetIds: { logo: logo?.sha256, font: font?.sha256 } });
  const taken = partsOfBrand(brand);
  return PART_NAMES.filter((name) => taken[name] !== "").map((name) => ({ name, isOwn: own[name] !== "" }));
}

const withoutOwn = (draft: Draft): Record<PartName, Draft> => ({
  logo: setFile(draft, "logo", null),
  font: setFile(draft, "font", null),
  colours: { ...draft, brand: {} },
  look: { ...draft, look: null },
  button: { ...draft, buttonStyle: undefined },
  disclaimer: setText(draft, "disclaimer", ""),
  language: { ...draft, language: "" },
});

/** Removes the draft's own values for these parts, so that the brand's apply. */
export const takeParts = (draft: Draft, names: readonly PartName[]): Draft =>
  names.reduce((now, name) => withoutOwn(now)[name], draft);

/**
 * Links the draft of an earlier job to its brand. Where the brand has changed since, the draft keeps the job's values
 * as its own.
 */
export function takeUnchanged(draft: Draft, job: Design, brand: SavedBrand): Draft {
  const [ordered, taken] = [partsOf(job), partsOfBrand(brand)];
  const unchanged = PART_NAMES.filter((name) => taken[name] !== "" && taken[name] === ordered[name]);
  return { ...takeParts(draft, unchanged), brandId: brand.brandId };
}
