interface ProgressProps {
  /** Label for screen readers. */
  readonly label: string;
  /** Completed fraction, 0 to 1. */
  readonly share: number;
}

/** A progress bar. */
export function Progress({ label, share }: ProgressProps) {
  const percent = Math.round(100 * Math.min(1, Math.max(0, share)));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-1.5 w-full overflow-hidden rounded-full bg-line"
    >
      <div style={{ width: `${percent}%` }} className="h-full rounded-full bg-accent" />
    </div>
  );
}

interface MeterProps {
  /** Label for screen readers. */
  readonly label: string;
  readonly value: number;
  /** Maximum of `value`. */
  readonly max: number;
  /** The amount in words, for screen readers. */
  readonly text: string;
}

/** Usage of an allowance: amber when little is left, red when nothing is. */
export function Meter({ label, value, max, text }: MeterProps) {
  const share = max === 0 ? 1 : Math.min(1, Math.max(0, value / max));
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> each in their own way, and none in the page's colours
    <div
      role="meter"
      aria-label={label}
      aria-valuenow={Math.min(value, max)}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuetext={text}
      className="h-1.5 w-full overflow-hidden rounded-full bg-line"
    >
      <div style={{ width: `${100 * share}%` }} className={`h-full rounded-full ${toneOf(share)}`} />
    </div>
  );
}

const NEARLY = 0.9;

function toneOf(share: number): string {
  if (share >= 1) return "bg-red";
  return share >= NEARLY ? "bg-amber" : "bg-accent";
}
