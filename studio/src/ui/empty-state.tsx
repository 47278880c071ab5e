import type { ReactNode } from "react";

interface EmptyStateProps {
  readonly title: string;
  /** What will be here, and how it gets here. */
  readonly text: ReactNode;
  readonly action?: ReactNode;
}

/** In place of a list that has nothing yet. */
export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-lg border border-dashed border-strong-line px-6 py-14 text-center">
      <h2 className="text-base font-semibold">{title}</h2>
      <p className="max-w-md text-sm text-quiet">{text}</p>
      {action}
    </div>
  );
}
