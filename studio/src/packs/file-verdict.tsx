import { useTranslation } from "react-i18next";
import { Badge } from "#ui/badge.tsx";
import { isWarning } from "#wall/use-report-words.ts";
import { keepsRules, type PackSize } from "./pack-files.ts";

/** Whether a size keeps its network's rules, and how much was left out or is worth a look: as on the wall. */
export function FileVerdict({ size }: { readonly size: PackSize }) {
  const { t } = useTranslation("wall");
  if (!keepsRules(size)) return <Badge tone="bad">{t("verdict.fail")}</Badge>;
  const notes = size.file.layout.adjustments.filter(isWarning).length;
  if (notes > 0) return <Badge tone="warning">{t("verdict.notes", { count: notes })}</Badge>;
  return <Badge tone="good">{t("verdict.pass")}</Badge>;
}
