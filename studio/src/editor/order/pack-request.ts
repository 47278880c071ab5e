import type { Copy, Override, PackRequest } from "creative-packs";
import { LIMITS } from "creative-packs-service/limits";
import type { SlotId } from "creative-packs-service/slots";
import {
  type Draft,
  type DraftOverride,
  filesOf,
  normalText,
  TEXT_FIELDS,
  type TextField,
} from "../draft/draft.ts";
import { conflictsOf } from "../files/guess-slot.ts";

/** Converts a draft to an API request. */

/** Maximum characters of each text. */
export const CHARACTERS_MAX: Readonly<Record<TextField, number>> = {
  headline: LIMITS.copyHeadlineCharactersMax,
  subheadline: LIMITS.copySubheadlineCharactersMax,
  cta: LIMITS.copyCtaCharactersMax,
  price: LIMITS.copyPriceCharactersMax,
  oldPrice: LIMITS.copyPriceCharactersMax,
  badge: LIMITS.copyBadgeCharactersMax,
  disclaimer: LIMITS.copyDisclaimerCharactersMax,
};

/** Counts characters as the API does. */
export const charactersOf = (text: string): number => [...normalText(text)].length;

export type TextFault = "tooLong" | "noDigit" | "noPrice";

/** The fault of one of the texts; null if it has none. */
export function textFault(
  texts: Readonly<Partial<Record<TextField, string>>>,
  field: TextField,
): TextFault | null {
  const text = (texts[field] ?? "").trim();
  if (charactersOf(text) > CHARACTERS_MAX[field]) return "tooLong";
  const isPrice = field === "price" || field === "oldPrice";
  if (isPrice && text !== "" && !/\p{Nd}/u.test(text)) return "noDigit";
  return field === "oldPrice" && text !== "" && (texts.price ?? "").trim() === "" ? "noPrice" : null;
}

/** A size's texts: its overrides, and otherwise the pack's texts. */
export const textsOf = (draft: Draft, sizeId: string): Readonly<Record<TextField, string>> => ({
  ...draft.texts,
  ...draft.overrides[sizeId]?.texts,
});

export const networkOf = ({ network = "google" }: Draft) => network;

/** Whether the text is an `https:` URL. The Studio accepts no click macros; the API does. */
export const isClickUrl = (text = ""): boolean =>
  URL.canParse(text.trim()) && new URL(text.trim()).protocol === "https:";

/** A missing part of an order; `files` means a picture or a logo. */
export type MissingPart = "files" | "sizes" | "texts" | "slots" | "click";

/** The parts that a draft still needs before it can be ordered, in form order. Pending uploads do not count. */
export function missingParts(draft: Draft): MissingPart[] {
  const slots = filesOf(draft.files).map(([slot]) => slot);
  const sets = [draft.texts, ...draft.sizeIds.map((sizeId) => textsOf(draft, sizeId))];
  const hasTextFault = sets.some((texts) => TEXT_FIELDS.some((field) => textFault(texts, field) !== null));
  return [
    // A brand may have a logo; if not, the service refuses the order.
    ...(draft.brandId || slots.some((slot) => slot !== "font") ? [] : ["files" as const]),
    ...(conflictsOf(slots).length > 0 ? ["slots" as const] : []),
    ...(hasTextFault ? ["texts" as const] : []),
    ...(draft.sizeIds.length === 0 ? ["sizes" as const] : []),
    ...(draft.outputFormat === "html5" && !isClickUrl(draft.clickUrl) ? ["click" as const] : []),
  ];
}

/** Body of `POST /jobs`, `POST /jobs/quote` and `POST /previews`. Identical drafts give identical bodies. */
export function packRequestOf(
  draft: Draft,
  assetIds: Readonly<Partial<Record<SlotId, string>>>,
): PackRequest {
  const overrides = Object.fromEntries(
    draft.sizeIds.flatMap((sizeId) => {
      const own = draft.overrides[sizeId];
      return own === undefined ? [] : [[sizeId, overrideFor(own)] as const];
    }),
  );
  return {
    contractId: draft.contractId,
    selectedSizeIds: [...draft.sizeIds],
    motion: draft.motion,
    outputFormat: draft.outputFormat,
    ...(draft.outputFormat === "html5" && {
      network: networkOf(draft),
      clickUrl: draft.clickUrl?.trim() ?? "",
    }),
    ...(draft.brandId && { brandId: draft.brandId }),
    assetIds,
    ...ownDesignOf(draft),
    variant: draft.variant,
    ...(draft.composition !== undefined && { composition: draft.composition }),
    placements: draft.placements,
    overrides,
  };
}

/** The draft's own values among those that a brand supplies; absent if there are none. */
export const ownDesignOf = (draft: Draft) => ({
  copy: copyOf(draft),
  brand: filled(Object.entries(draft.brand)),
  ...(draft.look !== null && { look: draft.look }),
  ...(draft.buttonStyle !== undefined && { buttonStyle: draft.buttonStyle }),
});

const copyOf = ({ texts, language }: Draft): Copy => ({
  ...filled(TEXT_FIELDS.map((field) => [field, normalText(texts[field])])),
  ...(language === "" ? {} : { language }),
});

/** The members that have a text. */
export const filled = (members: readonly (readonly [string, string | undefined])[]): Record<string, string> =>
  Object.fromEntries(members.flatMap(([name, text]) => (text ? [[name, text]] : [])));

function overrideFor({ texts, placements, variant, composition, scale }: DraftOverride): Override {
  return {
    ...(Object.keys(texts).length === 0 ? {} : { copy: { ...texts } }),
    ...(Object.keys(placements).length === 0 ? {} : { placements }),
    ...(variant === null ? {} : { variant }),
    ...(composition !== undefined && { composition }),
    ...(scale !== undefined && { scale }),
  };
}
