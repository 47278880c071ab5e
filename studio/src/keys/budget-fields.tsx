import { useTranslation } from "react-i18next";
import { textOf } from "#ui/form.tsx";
import { TextField } from "#ui/text-field.tsx";

/** What a key may spend, in credits; null for as much as the workspace has. */
export interface Budget {
  readonly daily: number | null;
  readonly monthly: number | null;
}

const amountOf = (form: FormData, name: string): number | null => {
  const text = textOf(form, name).trim();
  return text === "" ? null : Number(text);
};

/** The budget of a form with `BudgetFields`; null for none. */
export function budgetOf(form: FormData): Budget | null {
  const budget = { daily: amountOf(form, "daily"), monthly: amountOf(form, "monthly") };
  return budget.daily === null && budget.monthly === null ? null : budget;
}

/** Credits that a key may spend in a day and in a calendar month (UTC). */
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
