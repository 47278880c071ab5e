import { useTranslation } from "react-i18next";
import type { Adjustment, ComplianceCheck, ElementRole, LayoutReport } from "../../../src/renderer/index.ts";
import type { WallFault } from "../drawing/types.ts";

/** What the engine says of a drawing, in the language of the page. */
export function useReportWords() {
  const { t } = useTranslation("wall");
  const elementName = (role: ElementRole): string => t(`element.${role}`);
  return {
    elementName,
    faultWords: ({ code }: WallFault): string => t(`fault.${code}`),
    adjustmentWords: ({ code, element }: Adjustment): string =>
      t(`adjustment.${code}`, { element: element === null ? "" : elementName(element) }),
    checkWords: ({ rule }: ComplianceCheck): string => t(`check.${rule}`),
    /** What is to be seen, in the order in which it is read. */
    altOf: (name: string, { elements }: LayoutReport): string => {
      const parts = elements.map(({ role, lines }) =>
        lines === undefined || lines.length === 0
          ? elementName(role)
          : t("alt.words", { element: elementName(role), words: lines.join(" ") }),
      );
      return parts.length === 0 ? name : t("alt.tile", { name, parts: parts.join(", ") });
    },
  };
}

/** What somebody who orders has to know: what is missing or changed. Other adjustments are part of the craft. */
export const isWarning = ({ code }: Adjustment): boolean =>
  code === "text_dropped" || code === "element_dropped" || code === "face_cut" || code === "upscaled";
