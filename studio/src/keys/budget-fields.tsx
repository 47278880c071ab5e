import type { ApiKey } from "creative-packs";
import { useTranslation } from "react-i18next";
import { textOf } from "#ui/form.tsx";
import { Meter } from "#ui/progress.tsx";
import { TextField } from "#ui/text-field.tsx";

/** A key's budget in credits; null for no limit. */
export interface Budget {
  readonly daily: number | null;
  readonly monthly: number | null;
}

const amountOf = (form: FormData, name: string): number | null => {
  const text = textOf(form, name).trim();
  return text === "" ? null : Number(text);
};

/** Reads the budget from a form with `BudgetFields`; null if there is none. */
export function budgetOf(form: FormData): Budget | null {
  const budget = { daily: amountOf(form, "daily"), monthly: amountOf(form, "monthly") };
  return budget.daily === null && budget.monthly === null ? null : budget;
}

/** Credits that a key may spend per day and per calendar month (UTC). */
export function BudgetFields({ budget }: { readonly budget: Budget | null }) {
  const { t } = useTranslation("keys");
  const common = { type: "number", inputMode: "numeric", min: 1, step: 1 } as const;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{t("budget.title")}</legend>
      <div className="grid grid-cols-2 gap-3">
        <TextField {...common} label={t("budget.daily")} name="daily" defaultValue={budget?.daily ?? ""} />
        <TextField
          {...common}
          label={t("budget.monthly")}
          name="monthly"
          defaultValue={budget?.monthly ?? ""}
        />
      </div>
      <p className="text-xs text-quiet">{t("budget.hint")}</p>
    </fieldset>
  );
}

/** The spent part of a key's budget, today and this month. */
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
