import type { ReactNode } from "react";

interface SheetTableProps {
  readonly title: string;
  /** The first stands over names, the others over numbers. */
  readonly heads: readonly string[];
  /** Rows of `<tr>`. */
  readonly children: ReactNode;
  /** Under the rows. */
  readonly note?: string | undefined;
}

/** A table of the sheet: lines and no boxes, as on paper. */
export function SheetTable({ title, heads, children, note }: SheetTableProps) {
  return (
    <section
      aria-label={title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
      tabIndex={0}
      className="overflow-x-auto print:overflow-visible"
    >
      <table className="w-full text-sm tabular-nums [&_td]:border-t [&_td]:border-line [&_td]:py-1.5 [&_td:not(:first-child)]:pl-4 [&_td:not(:first-child)]:text-right [&_th]:py-1.5 [&_th:not(:first-child)]:pl-4 [&_th:not(:first-child)]:text-right [&_tr]:break-inside-avoid">
        <caption className="pb-1 text-left text-base font-semibold">{title}</caption>
        <thead className="text-xs text-quiet">
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className="text-left font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      {note !== undefined && <p className="mt-2 text-xs text-quiet">{note}</p>}
    </section>
  );
}
