import { CREDITS_PER_SIZE } from "#api/prices.ts";
import { SLOT_IDS, SLOTS } from "#api/slots.ts";
import { COMPOSITIONS, LOOK_IDS } from "#catalogue/looks.ts";
import { takesScale } from "#catalogue/scales.ts";
import type { Contract, Size } from "#catalogue/types.ts";

/** One guidance page per contract, generated from the catalogue and the slots' rules so that it never goes stale. */

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

function safeAreaOf({ safeArea }: Size): string {
  if (safeArea === null) return "whole";
  const { top, right, bottom, left } = safeArea;
  return `keeps ${top} top, ${right} right, ${bottom} bottom, ${left} left free`;
}

const sizesTable = (sizes: readonly Size[]): string =>
  table(
    ["sizeId", "pixels", "byte cap", "safe area", "accepted formats", "scales"],
    sizes.map((size) => [
      size.sizeId,
      `${size.width}×${size.height}`,
      size.byteCap === null ? "none" : String(size.byteCap),
      safeAreaOf(size),
      size.acceptedFormats.join(", "),
      takesScale(size, 2) ? "1, 2" : "1",
    ]),
  );

const slotsTable = (): string =>
  table(
    ["slot", "use it for", "takes", "minimum short edge", "not together with"],
    SLOT_IDS.map((slotId) => {
      const { guidance, accepts, shortEdgeMinPx, excludes } = SLOTS[slotId];
      return [
        slotId,
        guidance,
        accepts.join(", "),
        shortEdgeMinPx === null ? "–" : `${shortEdgeMinPx} px`,
        excludes.length === 0 ? "–" : excludes.join(", "),
      ];
    }),
  );

/** The guidance page of a contract, in Markdown. */
export const guidanceOf = (contract: Contract): string =>
  [
    `# ${contract.contractId}: ${contract.title}`,
    `A static size costs ${CREDITS_PER_SIZE.static} credit, an animated one ${CREDITS_PER_SIZE.animated}. All ` +
      `${contract.sizes.length} sizes as stills cost ${contract.sizes.length * CREDITS_PER_SIZE.static} credits.`,
    "## Steps",
    "1. Import the images with `import_asset`, or find them with `list_assets`. At least one image or logo is required.",
    "2. Draw one size for free with `preview_pack`. Read `layout.adjustments`: dropped or shrunk words are too long.",
    "3. Call `quote_pack` and tell the person the cost; then `create_pack` with a new `idempotencyKey`.",
    "4. Call `get_pack` again after its `pollAfterSeconds` until the pack has succeeded; pass on its links, valid for " +
      "an hour. `share_pack` creates a link for approval.",
    "## Words",
    "Fewer words are better in small banners: a headline of up to 30 characters and a button of up to 14 fit nearly everywhere. " +
      "A headline that a size cannot hold is refused before anything is charged, with what would fit; give that size a " +
      "shorter one in `overrides`. `price` is the most prominent text, `oldPrice` is struck through beside it, `badge` is a " +
      "word or a discount on a shape.",
    table(
      ["field", "longest"],
      contract.copyFields.map(({ field, charactersMax }) => [field, `${charactersMax} characters`]),
    ),
    "## Design",
    `\`look\` is the style: ${LOOK_IDS.join(", ")}. \`variant\` 2 and 3 are other compositions of each size, for tests; ` +
      `\`composition\` names one: ${COMPOSITIONS.join(", ")}. Faces ` +
      "are detected; override them with `placements`. Colours of `brand` win over the look.",
    "## Pictures",
    slotsTable(),
    "## Formats",
    `Static: ${contract.staticFormats.join(", ")}; the first is the default. Animated: ${contract.animatedFormats.join(", ")}, ` +
      "each beside a still that is free.",
    "## Sizes",
    sizesTable(contract.sizes),
    "",
  ].join("\n\n");
