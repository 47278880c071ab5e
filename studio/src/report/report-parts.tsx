import type { Adjustment, ComplianceCheck } from "creative-packs-service/renderer";
import { Check, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge } from "#ui/badge.tsx";
import { isWarning, useReportWords } from "./use-report-words.ts";

/** Rules of a network, each with what was found, and with what is asked for where that is not kept. */
export function CheckList({ checks }: { readonly checks: readonly ComplianceCheck[] }) {
  const { t } = useTranslation("grid");
  const { checkWords, measureWords } = useReportWords();
  return (
    <ul className="flex flex-col gap-1.5">
      {checks.map((check, at) => (
        <li key={`${check.rule} ${at}`} className="flex gap-2">
          <span className={check.passed ? "text-accent" : "text-red"}>
            {check.passed ? (
              <Check aria-hidden="true" className="mt-0.5 size-4" />
            ) : (
              <X aria-hidden="true" className="mt-0.5 size-4" />
            )}
            <span className="sr-only">{t(check.passed ? "passed" : "notPassed")}</span>
          </span>
          <span className="min-w-0">
            {checkWords(check)}
            <span className="block text-xs text-quiet">
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

/** What a layout did to fit a size, in words. */
export function AdjustmentList({ adjustments }: { readonly adjustments: readonly Adjustment[] }) {
  const { adjustmentWords } = useReportWords();
  return (
    <ul className="flex list-disc flex-col gap-1.5 pl-4">
      {adjustments.map((adjustment) => (
        <li key={`${adjustment.code} ${adjustment.element}`}>{adjustmentWords(adjustment)}</li>
      ))}
    </ul>
  );
}

interface VerdictBadgeProps {
  /** Whether it keeps its network's rules. */
  readonly isPass: boolean;
  readonly adjustments: readonly Adjustment[];
}

/** Whether a size keeps its network's rules, and how much was left out or is worth a look. */
export function VerdictBadge({ isPass, adjustments }: VerdictBadgeProps) {
  const { t } = useTranslation("grid");
  if (!isPass) return <Badge tone="bad">{t("verdict.fail")}</Badge>;
  const warnings = adjustments.filter(isWarning).length;
  if (warnings > 0) return <Badge tone="warning">{t("verdict.notes", { count: warnings })}</Badge>;
  return <Badge tone="good">{t("verdict.pass")}</Badge>;
}
