import { type ReactNode, useId } from "react";

interface SectionProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** At the end of the title's line. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the form. */
export function Section({ title, lead, aside, children }: SectionProps) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-3">
      <div className="flex flex-col gap-0.5">
        <div className="flex items-baseline justify-between gap-3">
          <h2 id={titleId} className="text-base font-semibold">
            {title}
          </h2>
          {aside}
        </div>
        {lead !== undefined && <p className="text-sm text-quiet">{lead}</p>}
      </div>
      {children}
    </section>
  );
}
