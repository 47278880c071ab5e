import type { ReactNode } from "react";

interface TableProps {
  /** What the table holds, for screen readers. */
  readonly label: string;
  readonly heads: readonly string[];
  /** Those heads that stand over numbers, which are set at the end of their column. */
  readonly overNumbers?: readonly string[];
  /** Rows of `<tr>` with `<td>`. */
  readonly children: ReactNode;
}

/** Rows under heads; on a phone it is swept sideways, and the page is not. */
export function Table({ label, heads, overNumbers = [], children }: TableProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
      tabIndex={0}
      className="overflow-x-auto rounded-lg border border-line bg-card"
    >
      <table className="w-full text-sm [&_td]:border-t [&_td]:border-line [&_td]:px-4 [&_td]:py-2.5 [&_th]:px-4 [&_th]:py-2.5">
        <thead>
          <tr className="text-left text-xs text-quiet">
            {heads.map((head) => (
              <th
                key={head}
                scope="col"
                className={`font-medium whitespace-nowrap ${overNumbers.includes(head) ? "text-right" : ""}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
