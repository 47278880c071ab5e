import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Drawing, Engine } from "#engine/types.ts";
import { CheckList, SizeReport } from "#report/report-parts.tsx";
import { useReportWords } from "#report/use-report-words.ts";
import { Button } from "#ui/button.tsx";

interface ZoomReportProps {
  readonly engine: Engine;
  readonly sizeId: string;
  readonly drawing: Drawing;
  /** On the grid: another one there makes another file. */
  readonly tileDrawing: Drawing | null;
}

/** What a size keeps of its rules, and what its layout did, in words. */
export function ZoomReport({ drawing: { compliance, layout }, ...measured }: ZoomReportProps) {
  return (
    <div className="flex flex-col gap-6 text-sm">
      <SizeReport
        isPass={compliance.verdict === "pass"}
        checks={compliance.checks}
        adjustments={layout.adjustments}
      >
        <MeasuredFiles {...measured} />
      </SizeReport>
    </div>
  );
}

/** Bytes are known once a file is made: on demand, as an animation takes a second. */
function MeasuredFiles({ engine, sizeId, tileDrawing }: Omit<ZoomReportProps, "drawing">) {
  const { t } = useTranslation("grid");
  const { faultWords } = useReportWords();
  const measure = useMutation({ mutationFn: (_: Drawing | null) => engine.measure(sizeId) });
  const result = measure.variables === tileDrawing ? measure.data : undefined;
  return (
    <div className="flex flex-col items-start gap-2" aria-live="polite">
      {result?.ok !== true && (
        <Button isBusy={measure.isPending} onClick={() => measure.mutate(tileDrawing)}>
          {t("measure")}
        </Button>
      )}
      {result?.ok === false && <p className="text-red">{faultWords(result.fault)}</p>}
      {result?.ok === true &&
        result.value.map(({ role, extension, byteLength, compliance }) => (
          <div key={role} className="flex flex-col gap-1.5">
            <p className="font-medium">
              {t(`file.${role}`, {
                format: extension.toUpperCase(),
                kilobytes: Math.ceil(byteLength / 1_000),
              })}
            </p>
            <CheckList
              checks={compliance.checks.filter(({ rule }) => rule === "byte_cap" || rule === "backup_bytes")}
            />
          </div>
        ))}
    </div>
  );
}
