import { useTranslation } from "react-i18next";
import { useContractName } from "#editor/sizes/contract-queries.ts";
import { SheetTable } from "./sheet-table.tsx";
import type { Statement } from "./statement-query.ts";

type Orders = Statement["orders"];

const SOURCES = ["credits", "subscription", "unlimited"] as const;

/** What was ordered, by what paid and by set of sizes. */
export function MonthOrders({ statement }: { readonly statement: Statement }) {
  const { t } = useTranslation("statement");
  const contractName = useContractName();
  const { orders, ordersBySource, contracts } = statement;
  const heads = [t("orders.packs"), t("orders.consumed"), t("orders.refunded"), t("orders.spent")];
  const sources = SOURCES.filter((source) => hasAny(ordersBySource[source]));
  if (!hasAny(orders)) {
    return (
      <section className="flex flex-col gap-1">
        <h2 className="text-base font-semibold">{t("orders.title")}</h2>
        <p className="text-sm">{t("orders.none")}</p>
      </section>
    );
  }
  return (
    <>
      <SheetTable title={t("orders.title")} heads={[t("orders.source"), ...heads]}>
        {sources.map((source) => (
          <OrdersRow key={source} name={t(`orders.by.${source}`)} orders={ordersBySource[source]} />
        ))}
        {sources.length > 1 && <OrdersRow name={t("orders.all")} orders={orders} isTotal />}
      </SheetTable>
      <SheetTable title={t("orders.contracts")} heads={[t("orders.contract"), ...heads]}>
        {contracts.map(({ contractId, ...sums }) => (
          <OrdersRow key={contractId} name={contractName(contractId, contractId)} orders={sums} />
        ))}
      </SheetTable>
    </>
  );
}

const hasAny = ({ jobs, consumed, refunded }: Orders): boolean => jobs > 0 || consumed > 0 || refunded > 0;

interface OrdersRowProps {
  readonly name: string;
  readonly orders: Orders;
  readonly isTotal?: boolean;
}

function OrdersRow({ name, orders: { jobs, consumed, refunded, spent }, isTotal = false }: OrdersRowProps) {
  const { i18n } = useTranslation();
  const numbers = new Intl.NumberFormat(i18n.language);
  return (
    <tr className={isTotal ? "font-semibold" : ""}>
      <td>{name}</td>
      <td>{numbers.format(jobs)}</td>
      <td>{numbers.format(consumed)}</td>
      <td>{numbers.format(refunded)}</td>
      <td>{numbers.format(spent)}</td>
    </tr>
  );
}
