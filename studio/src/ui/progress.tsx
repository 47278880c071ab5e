interface ProgressProps {
  /** What is under way, for screen readers. */
  readonly label: string;
  /** 0..1. */
  readonly share: number;
}

/** How far something is. */
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
      <div
        style={{ width: `${percent}%` }}
        className="h-full rounded-full bg-accent transition-[width] duration-300"
      />
    </div>
  );
}
