import type { Adjustment } from "creative-packs-service/renderer";
import { useTranslation } from "react-i18next";
import { Badge } from "#ui/badge.tsx";
import { isWarning } from "./use-report-words.ts";

interface VerdictBadgeProps {
  /** Whether it keeps its network's rules. */
  readonly isPass: boolean;
  readonly adjustments: readonly Adjustment[];
}

/** Whether a size keeps its network's rules, and how much was left out or is worth a look. */
export function VerdictBadge({ isPass, adjustments }: VerdictBadgeProps) {
  const { t } = useTranslation("wall");
  if (!isPass) return <Badge tone="bad">{t("verdict.fail")}</Badge>;
  const warnings = adjustments.filter(isWarning).length;
  if (warnings > 0) return <Badge tone="warning">{t("verdict.notes", { count: warnings })}</Badge>;
  return <Badge tone="good">{t("verdict.pass")}</Badge>;
}
