import type { ApiKey } from "creative-packs";
import { useTranslation } from "react-i18next";
import { Meter } from "#ui/progress.tsx";

/** How much of a key's budget is spent, today and this month. */
export function BudgetMeters({ budget }: { readonly budget: ApiKey["budget"] }) {
  const { t } = useTranslation("keys");
  if (budget === null) return <span className="text-quiet">{t("budget.none")}</span>;
  const { daily, monthly, spentToday, spentThisMonth } = budget;
  return (
    <div className="flex w-40 flex-col gap-2">
      {daily !== null && <Spent span="today" spent={spentToday} budget={daily} />}
      {monthly !== null && <Spent span="month" spent={spentThisMonth} budget={monthly} />}
    </div>
  );
}

interface SpentProps {
  readonly span: "today" | "month";
  readonly spent: number;
  readonly budget: number;
}

function Spent({ span, spent, budget }: SpentProps) {
  const { t, i18n } = useTranslation("keys");
  const numbers = new Intl.NumberFormat(i18n.language);
  const text = t(`budget.spent.${span}`, { spent: numbers.format(spent), budget: numbers.format(budget) });
  return (
    <div className="flex flex-col gap-1">
      <p className="text-xs whitespace-nowrap tabular-nums">
        {text}
        {spent >= budget && <span className="text-red"> · {t("budget.usedUp")}</span>}
      </p>
      <Meter label={t(`budget.meter.${span}`)} value={spent} max={budget} text={text} />
    </div>
  );
}
