import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { useReportWords } from "#report/use-report-words.ts";
import { useSizeNames } from "../sizes/size-names.ts";
import { useEngineState } from "../use-engine.ts";
import { useChosenSizes } from "./grid.tsx";
import { stripTiles } from "./pack-tiles.ts";
import { PictureCanvas } from "./tile-card.tsx";

/** From here on the grid is beside the texts; Tailwind's `lg`. */
const WIDE = matchMedia("(min-width: 64rem)");
const onWide = (listener: () => void): (() => void) => {
  WIDE.addEventListener("change", listener);
  return () => WIDE.removeEventListener("change", listener);
};

interface GridStripProps {
  readonly onOpen: () => void;
}

/** On narrow windows, where the grid is on another view: a few sizes that stay in sight while the user types. */
export function GridStrip(props: GridStripProps) {
  const isWide = useSyncExternalStore(onWide, () => WIDE.matches);
  return isWide ? null : <Strip {...props} />;
}

function Strip({ onOpen }: GridStripProps) {
  const { t } = useTranslation("grid");
  const { sizeName } = useSizeNames();
  const { altOf } = useReportWords();
  const tiles = useEngineState((state) => state.tiles);
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
      className="sticky top-[5.6rem] z-10 flex h-[7.25rem] w-full items-center justify-center gap-3 overflow-hidden border-y border-line bg-sunk px-3"
    >
      {strip.map(({ size, drawing, box }) => (
        <span key={size.sizeId} className="relative shrink shadow-[0_0_0_1px_var(--line)]" style={box}>
          <PictureCanvas picture={drawing.picture} alt={altOf(sizeName(size), drawing.layout)} />
        </span>
      ))}
    </button>
  );
}
