import type { SizeInfo } from "#ui/size-tiles.tsx";

const percent = (part: number, whole: number): string => `${(part / whole) * 100}%`;

/** The edges that a network covers with its own buttons and texts, hatched over a picture. */
export function SafeAreaOverlay({ size }: { readonly size: SizeInfo }) {
  const { safeArea, width, height } = size;
  if (safeArea === null) return null;
  const { top, right, bottom, left } = safeArea;
  const band = "absolute bg-red opacity-25";
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0">
      <div className={`${band} inset-x-0 top-0`} style={{ height: percent(top, height) }} />
      <div className={`${band} inset-x-0 bottom-0`} style={{ height: percent(bottom, height) }} />
      <div
        className={`${band} left-0`}
        style={{ top: percent(top, height), bottom: percent(bottom, height), width: percent(left, width) }}
      />
      <div
        className={`${band} right-0`}
        style={{ top: percent(top, height), bottom: percent(bottom, height), width: percent(right, width) }}
      />
      <div
        className="absolute border border-dashed border-red"
        style={{
          top: percent(top, height),
          right: percent(right, width),
          bottom: percent(bottom, height),
          left: percent(left, width),
        }}
      />
    </div>
  );
}
