import { useTranslation } from "react-i18next";
import type { SizeInfo } from "#ui/size-tiles.tsx";
import type { GridLayout } from "./pack-tiles.ts";

/** The outlines of the chosen sizes, where they will appear, and how. */
export function EmptyGrid({ layout: { tiles, width, height } }: { readonly layout: GridLayout<SizeInfo> }) {
  const { t } = useTranslation("grid");
  return (
    <div className="relative flex min-h-full items-center justify-center">
      <div aria-hidden="true" className="absolute opacity-60" style={{ width, height }}>
        {tiles.map(({ size, x, y, ...box }) => (
          <span
            key={size.sizeId}
            className="absolute rounded-sm border border-dashed border-strong-line bg-card"
            style={{ left: x, top: y, ...box }}
          />
        ))}
      </div>
      <div className="relative flex max-w-sm flex-col gap-1.5 rounded-xl bg-paper px-7 py-6 text-center shadow-xl">
        <h3 className="text-base font-semibold">{t("empty.title")}</h3>
        <p className="text-sm text-quiet">{t("empty.text")}</p>
      </div>
    </div>
  );
}
