import { useTranslation } from "react-i18next";
import { SheetTable } from "./sheet-table.tsx";
import type { Statement } from "./statement-query.ts";

const CHANGES = ["purchases", "grants", "consumption", "refunds", "adjustments", "expiries"] as const;

interface MonthCreditsProps {
  readonly credits: Statement["credits"];
  readonly isOver: boolean;
}

/** From the balance at the month's beginning to that at its end, in steps that add up. */
export function MonthCredits({ credits, isOver }: MonthCreditsProps) {
  const { t, i18n } = useTranslation("statement");
  const balances = new Intl.NumberFormat(i18n.language);
  const changes = new Intl.NumberFormat(i18n.language, { signDisplay: "exceptZero" });
  return (
    <SheetTable title={t("credits.title")} heads={[t("credits.what"), t("credits.amount")]}>
      <tr>
        <td>{t("credits.opening")}</td>
        <td>{balances.format(credits.opening)}</td>
      </tr>
      {CHANGES.filter((change) => credits[change] !== 0).map((change) => (
        <tr key={change}>
          <td>{t(`credits.${change}`)}</td>
          <td>{changes.format(credits[change])}</td>
        </tr>
      ))}
      <tr className="font-semibold">
        <td>{isOver ? t("credits.closing") : t("credits.now")}</td>
        <td>{balances.format(credits.closing)}</td>
      </tr>
    </SheetTable>
  );
}
