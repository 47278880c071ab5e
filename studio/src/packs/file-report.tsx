import { useTranslation } from "react-i18next";
import { useReportWords } from "../wall/use-report-words.ts";
import { FileVerdict } from "./file-verdict.tsx";
import type { PackSize } from "./pack-files.ts";

/** The rules that were checked of a size's files, and what its layout did, in words. */
export function FileReport({ size }: { readonly size: PackSize }) {
  const { t } = useTranslation("packs");
  const { t: wall } = useTranslation("wall");
  const { adjustmentWords, checkWords } = useReportWords();
  const { file, backup } = size;
  const checks = [
    ...file.compliance.checks,
    ...(backup?.compliance.checks ?? []).filter(({ passed }) => !passed),
  ];
  const { adjustments } = file.layout;
  return (
    <>
      <section className="flex flex-col gap-2.5">
        <h3 className="flex items-center justify-between gap-2 font-semibold">
          {t("pack.rules")} <FileVerdict size={size} />
        </h3>
        <ul className="flex flex-col gap-1.5">
          {checks.map((check, at) => (
            <li key={`${check.rule} ${at}`} className="flex gap-2">
              <span className={check.passed ? "text-accent" : "text-red"}>
                <span aria-hidden="true">{check.passed ? "✓" : "✕"}</span>
                <span className="sr-only">{wall(check.passed ? "passed" : "notPassed")}</span>
              </span>
              <span className="min-w-0 flex-1">{checkWords(check)}</span>
              <span className="text-right text-quiet">
                {check.passed
                  ? check.actual
                  : wall("checkDetail", { actual: check.actual, required: check.required })}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section className="flex flex-col gap-2.5">
        <h3 className="font-semibold">{t("pack.changed")}</h3>
        {adjustments.length === 0 && <p className="text-quiet">{t("pack.unchanged")}</p>}
        <ul className="flex list-disc flex-col gap-1.5 pl-4">
          {adjustments.map((adjustment) => (
            <li key={`${adjustment.code} ${adjustment.element}`}>{adjustmentWords(adjustment)}</li>
          ))}
        </ul>
      </section>
    </>
  );
}
