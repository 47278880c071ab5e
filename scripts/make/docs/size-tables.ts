/** The tables of docs/guides/sizes.md: the sizes of each contract, drawn. */
import { CONTRACTS } from "#catalogue/contracts.ts";
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
];

const sizeTable = ({ sizes }: Contract): string =>
  table(["outline", "size", "byte cap", "formats", "safe area"], sizes.map(row));

const allSizes = Math.max(...CONTRACTS.map(({ sizes }) => sizes.length));

/** The contract that has every size, whose tables are those of the others. */
const isWhole = ({ sizes }: Contract): boolean => sizes.length === allSizes;

/** Name of a mark in docs/guides/sizes.md → what stands there. */
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
    CONTRACTS.filter((contract) => !isWhole(contract)).map((contract) => [
      `sizes-${contract.contractId.replace(".", "-")}`,
      sizeTable(contract),
    ]),
  ),
};
