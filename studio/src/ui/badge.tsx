import type { ReactNode } from "react";

const TONES = {
  good: "bg-accent-soft text-accent",
  warning: "bg-amber-soft text-amber",
  bad: "bg-red-soft text-red",
  plain: "bg-sunk text-ink",
} as const;
export type Tone = keyof typeof TONES;

interface BadgeProps {
  readonly tone?: Tone;
  readonly children: ReactNode;
}

/** A short label for a state. */
export function Badge({ tone = "plain", children }: BadgeProps) {
  return (
    <span
      className={`inline-flex items-center rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}
