/** Generated tables of docs/guides/sizes.md: sizes of each contract's newest version, with their outlines. */
import { CONTRACTS, NEWEST_CONTRACTS } from "#catalogue/contracts.ts";
import { takesScale } from "#catalogue/scales.ts";
import type { Contract, Size } from "#catalogue/types.ts";
import { code, codes, count, table } from "./markdown-table.ts";

const bytes = (cap: number | null): string => {
  if (cap === null) return "–";
  return cap >= 1_000_000 ? `${count(cap / 1_000_000)} MB` : `${count(cap / 1_000)} KB`;
};

const safeWords = ({ safeArea }: Size): string =>
  safeArea === null ? "–" : `${safeArea.top}, ${safeArea.right}, ${safeArea.bottom}, ${safeArea.left}`;

const row = (size: Size): readonly string[] => [
  `![${size.width} by ${size.height} pixels${size.safeArea === null ? "" : ", with its safe area"}](sizes/${size.sizeId}.svg)`,
  code(size.sizeId),
  bytes(size.byteCap),
  size.acceptedFormats.join(", "),
  safeWords(size),
  takesScale(size, 2) ? "yes" : "–",
];

const sizeTable = ({ sizes }: Contract): string =>
  table(["outline", "size", "byte cap", "formats", "safe area", "`scale` 2"], sizes.map(row));

/** The contract with every size. It gets no table, because the tables of the other contracts list all of its sizes. */
const [whole] = NEWEST_CONTRACTS;

/** Tables by their name in `<!-- generated: NAME -->` of docs/guides/sizes.md. */
export const SIZE_TABLES: Readonly<Record<string, string>> = {
  contracts: table(
    ["contract", "what for", "sizes", "stills", "animations"],
    CONTRACTS.map(({ contractId, title, sizes, staticFormats, animatedFormats }) => [
      code(contractId),
      title,
      count(sizes.length),
      codes(staticFormats),
      codes(animatedFormats),
    ]),
  ),
  ...Object.fromEntries(
    NEWEST_CONTRACTS.filter((contract) => contract !== whole).map((contract) => [
      `sizes-${contract.contractId.replace(".", "-")}`,
      sizeTable(contract),
    ]),
  ),
};
