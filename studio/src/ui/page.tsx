import type { ReactNode } from "react";

interface PageProps {
  readonly title: string;
  /** One sentence: what the page is for. */
  readonly lead?: ReactNode;
  /** At the end of the title's line. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of a workspace: title, what can be done, content. Names the browser's tab too. */
export function Page({ title, lead, actions, children }: PageProps) {
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-6 px-4 py-8 sm:px-8">
      <title>{`${title} · Creative Packs`}</title>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="flex max-w-2xl flex-col gap-1">
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          {lead !== undefined && <p className="text-sm text-quiet">{lead}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
