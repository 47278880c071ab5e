import { useMutation } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { Drawing, Engine } from "#engine/types.ts";
import { CheckList, SizeReport } from "#report/report-parts.tsx";
import { useReportWords } from "#report/use-report-words.ts";

interface ZoomReportProps {
  readonly engine: Engine;
  readonly sizeId: string;
  readonly drawing: Drawing;
  /** Drawing of the tile in the grid. When it changes, the files are made again. */
  readonly tileDrawing: Drawing | null;
}

/** A size's rule checks and layout adjustments, in words. */
export function ZoomReport({ drawing: { compliance, layout }, ...measured }: ZoomReportProps) {
  return (
    <div className="flex flex-col gap-6 text-sm">
      <SizeReport
        isPass={compliance.verdict === "pass"}
        // A passed format check is hidden, because the file type is shown with the file.
        checks={compliance.checks.filter(({ rule, passed }) => rule !== "format" || !passed)}
        adjustments={layout.adjustments}
      >
        <MeasuredFiles {...measured} />
      </SizeReport>
    </div>
  );
}

/** Delay, so that the picture is drawn first, and no files are made if the user moves on quickly. */
const MEASURE_AFTER_MS = 400;

/** Renders the files of a size as for an order, to show their length in bytes. */
function MeasuredFiles({ engine, sizeId, tileDrawing }: Omit<ZoomReportProps, "drawing">) {
  const { t } = useTranslation("grid");
  const { faultWords } = useReportWords();
  const { mutate, data, variables } = useMutation({
    mutationFn: (_: Drawing | null) => engine.measure(sizeId),
  });
  const result = variables === tileDrawing ? data : undefined;
  const files = result === undefined ? [null] : result.ok ? result.value : [];
  useEffect(() => {
    const timer = setTimeout(() => mutate(tileDrawing), MEASURE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [mutate, tileDrawing]);
  return (
    <div className="-mt-1 flex flex-col items-start gap-1.5" aria-live="polite">
      {result?.ok === false && <p className="text-red">{faultWords(result.fault)}</p>}
      {files.map((file) => (
        <div key={file?.role ?? ""} className="flex flex-col gap-1.5">
          <p className="flex gap-2">
            <Check
              className={`mt-0.5 size-4 ${file?.compliance.verdict === "pass" ? "text-accent" : "invisible"}`}
            />
            <span>
              {t("check.byte_cap")}
              <span className="block text-xs text-quiet">
                {file === null
                  ? t("measuring")
                  : t(`file.${file.role}`, {
                      format: file.extension.toUpperCase(),
                      kilobytes: Math.ceil(file.byteLength / 1_000),
                    })}
              </span>
            </span>
          </p>
          <CheckList
            checks={(file?.compliance.checks ?? []).filter(
              ({ rule, passed }) => !passed && (rule === "byte_cap" || rule === "backup_bytes"),
            )}
          />
        </div>
      ))}
    </div>
  );
}
