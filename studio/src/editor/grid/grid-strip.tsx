import { useTranslation } from "react-i18next";
import { useReportWords } from "#report/use-report-words.ts";
import { useSizeNames } from "../sizes/size-names.ts";
import { useEngineState } from "../use-engine.ts";
import { useChosenSizes } from "./grid.tsx";
import { stripTiles } from "./pack-tiles.ts";
import { useIsWide } from "./size-panel.tsx";
import { PictureCanvas } from "./tile-card.tsx";

interface GridStripProps {
  readonly onOpen: () => void;
}

/** In narrow windows, a few sizes that stay visible while the form hides the grid. */
export function GridStrip(props: GridStripProps) {
  return useIsWide() ? null : <Strip {...props} />;
}

function Strip({ onOpen }: GridStripProps) {
  const { t } = useTranslation(["grid", "editor"]);
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
      className="sticky top-14 z-10 flex h-24 w-full items-center gap-3 overflow-hidden border-y border-line bg-sunk px-4 py-2"
    >
      {strip.map(({ size, drawing, box }) => (
        <span key={size.sizeId} className="relative shrink shadow-[0_0_0_1px_var(--line)]" style={box}>
          <PictureCanvas picture={drawing.picture} alt={altOf(sizeName(size), drawing.layout)} />
        </span>
      ))}
      <span className="ml-auto flex w-18 shrink-0 items-center justify-center self-stretch rounded-md border border-line bg-card px-1 text-xs font-medium text-balance text-accent">
        {`${t("own.back", { ns: "editor" })}\u00a0›`}
      </span>
    </button>
  );
}
