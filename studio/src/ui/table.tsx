import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { Page } from "creative-packs";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button.tsx";
import { ErrorNote } from "./form.tsx";
import { Loading } from "./page.tsx";

interface TableProps {
  /** Label for screen readers. */
  readonly label: string;
  readonly heads: readonly string[];
  /** Headings of numeric columns, aligned to the end. */
  readonly overNumbers?: readonly string[];
  /** Rows of `<tr>` with `<td>`. */
  readonly children: ReactNode;
}

/** A table that scrolls sideways on a phone, so that the page does not. */
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

interface PagedTableProps<Item> extends Omit<TableProps, "children"> {
  readonly query: UseInfiniteQueryResult<InfiniteData<Page<Item>>>;
  /** Placeholder of a table without rows. */
  readonly empty: ReactNode;
  readonly row: (item: Item) => ReactNode;
}

/** A table of a paginated list. */
export function PagedTable<Item>({ query, empty, row, ...table }: PagedTableProps<Item>) {
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      {query.isPending && <Loading />}
      <ErrorNote error={query.error} />
      {query.isSuccess && items.length === 0 && empty}
      {items.length > 0 && <Table {...table}>{items.map(row)}</Table>}
      <MoreButton query={query} />
    </>
  );
}

/** "Show more" button of a paginated list. */
export function MoreButton({ query }: { readonly query: UseInfiniteQueryResult }) {
  const { t } = useTranslation();
  if (!query.hasNextPage) return null;
  return (
    <div className="flex justify-center">
      <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {t("more")}
      </Button>
    </div>
  );
}
