import { useTranslation } from "react-i18next";
import { useReportWords } from "#report/use-report-words.ts";
import { useSizeNames } from "../sizes/size-names.ts";
import { useEngineState } from "../use-engine.ts";
import { useChosenSizes } from "./grid.tsx";
import { stripTiles } from "./pack-tiles.ts";
import { PictureCanvas } from "./tile-card.tsx";

/** On narrow windows, where the grid is on another view: a few sizes that stay in sight while the user types. */
export function GridStrip({ onOpen }: { readonly onOpen: () => void }) {
  const { t } = useTranslation("grid");
  const { sizeName } = useSizeNames();
  const { altOf } = useReportWords();
  const { tiles } = useEngineState();
  const strip = stripTiles(useChosenSizes()).flatMap(({ size, width, height }) => {
    const drawing = tiles.find(({ sizeId }) => sizeId === size.sizeId)?.drawing ?? null;
    return drawing === null ? [] : [{ size, drawing, box: { width, aspectRatio: `${width} / ${height}` } }];
  });
  if (strip.length === 0) return null;
  return (
    <button
      type="button"
      data-grid-strip
      aria-label={t("strip")}
      onClick={onOpen}
      className="sticky top-[5.6rem] z-10 flex h-[7.25rem] w-full items-center justify-center gap-3 overflow-hidden border-y border-line bg-sunk px-3 lg:hidden"
    >
      {strip.map(({ size, drawing, box }) => (
        <span key={size.sizeId} className="relative shrink shadow-[0_0_0_1px_var(--line)]" style={box}>
          <PictureCanvas picture={drawing.picture} alt={altOf(sizeName(size), drawing.layout)} />
        </span>
      ))}
    </button>
  );
}
