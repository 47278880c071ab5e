import { useTranslation } from "react-i18next";
import { AdjustmentList, CheckList } from "#report/check-list.tsx";
import { VerdictBadge } from "#report/verdict-badge.tsx";
import { keepsRules, type PackSize } from "./pack-files.ts";

/** The rules that were checked of a size's files, and what its layout did, in words. */
export function FileReport({ size }: { readonly size: PackSize }) {
  const { t } = useTranslation("packs");
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
          {t("pack.rules")} <VerdictBadge isPass={keepsRules(size)} adjustments={file.layout.adjustments} />
        </h3>
        <CheckList checks={checks} />
      </section>
      <section className="flex flex-col gap-2.5">
        <h3 className="font-semibold">{t("pack.changed")}</h3>
        {adjustments.length === 0 && <p className="text-quiet">{t("pack.unchanged")}</p>}
        <AdjustmentList adjustments={adjustments} />
      </section>
    </>
  );
}
