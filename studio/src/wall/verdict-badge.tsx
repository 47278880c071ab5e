import { useTranslation } from "react-i18next";
import type { Drawing } from "#drawing/types.ts";
import { Badge } from "#ui/badge.tsx";
import { isWarning } from "./use-report-words.ts";

/** Whether a size keeps its network's rules, and how much was left out or is worth a look. */
export function VerdictBadge({ drawing }: { readonly drawing: Drawing }) {
  const { t } = useTranslation("wall");
  if (drawing.compliance.verdict === "fail") return <Badge tone="bad">{t("verdict.fail")}</Badge>;
  const warnings = drawing.layout.adjustments.filter(isWarning).length;
  if (warnings > 0) return <Badge tone="warning">{t("verdict.notes", { count: warnings })}</Badge>;
  return <Badge tone="good">{t("verdict.pass")}</Badge>;
}
