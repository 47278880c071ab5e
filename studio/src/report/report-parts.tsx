import type { Adjustment, ComplianceCheck } from "creative-packs-service/renderer";
import { Check, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "#ui/badge.tsx";
import { isWarning, useReportWords } from "./use-report-words.ts";

/** A network's rules with the measured values, and with the required value if a rule is not met. */
export function CheckList({ checks }: { readonly checks: readonly ComplianceCheck[] }) {
  const { t } = useTranslation("grid");
  const { checkWords, measureWords } = useReportWords();
  return (
    <ul className="flex flex-col gap-1.5">
      {checks.map((check, at) => (
        <li key={`${check.rule} ${at}`} className="flex gap-2">
          <span className={check.passed ? "text-accent" : "text-red"}>
            {check.passed ? <Check className="mt-0.5 size-4" /> : <X className="mt-0.5 size-4" />}
            <span className="sr-only">{t(check.passed ? "passed" : "notPassed")}</span>
          </span>
          <span className="min-w-0">
            {checkWords(check)}
            <span className="block text-xs text-quiet first-letter:uppercase">
              {check.passed
                ? measureWords(check.actual)
                : t("checkDetail", {
                    actual: measureWords(check.actual),
                    required: measureWords(check.required),
                  })}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

interface SizeReportProps extends VerdictBadgeProps {
  readonly checks: readonly ComplianceCheck[];
  /** Shown under the checks. */
  readonly children?: ReactNode;
}

/** A size's rule checks and layout adjustments, in words. */
export function SizeReport({ checks, adjustments, isPass, children }: SizeReportProps) {
  const { t } = useTranslation("grid");
  const { adjustmentWords } = useReportWords();
  return (
    <>
      <section className="flex flex-col gap-2.5">
        <h3 className="flex items-center justify-between gap-2 font-semibold">
          {t("rules")} <VerdictBadge isPass={isPass} adjustments={adjustments} />
        </h3>
        <CheckList checks={checks} />
        {children}
      </section>
      <section className="flex flex-col gap-2.5">
        <h3 className="font-semibold">{t("adjustments")}</h3>
        {adjustments.length === 0 && <p className="text-quiet">{t("noAdjustments")}</p>}
        <ul className="flex list-disc flex-col gap-1.5 pl-4">
          {adjustments.map((adjustment) => (
            <li key={`${adjustment.code} ${adjustment.element}`}>{adjustmentWords(adjustment)}</li>
          ))}
        </ul>
      </section>
    </>
  );
}

interface VerdictBadgeProps {
  /** Whether the size meets its network's rules. */
  readonly isPass: boolean;
  readonly adjustments: readonly Adjustment[];
}

/** Whether a size meets its network's rules, with counts of omissions and notes. */
export function VerdictBadge({ isPass, adjustments }: VerdictBadgeProps) {
  const { t } = useTranslation("grid");
  const { noteWords } = useReportWords();
  if (!isPass) return <Badge tone="bad">{t("verdict.fail")}</Badge>;
  const [warning, ...more] = adjustments.filter(isWarning);
  if (warning !== undefined)
    return (
      <Badge tone="warning">
        {more.length > 0 ? t("verdict.notes", { count: more.length + 1 }) : noteWords(warning)}
      </Badge>
    );
  return <Badge tone="good">{t("verdict.pass")}</Badge>;
}
