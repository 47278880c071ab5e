import type { Adjustment, ComplianceCheck, ElementRole, LayoutReport } from "creative-packs-service/renderer";
import { useTranslation } from "react-i18next";
import type { EngineFault } from "#engine/types.ts";
import { useBytes } from "#ui/use-bytes.ts";

/** Texts for the engine's reports, in the page's language. */
export function useReportWords() {
  const { t, i18n } = useTranslation("grid");
  const bytes = useBytes();
  const elementName = (role: ElementRole): string => t(`element.${role}`);
  /** A measured or required value. */
  const measureWords = (text: string): string => {
    const measure = readMeasure(text);
    // A file type, or a list of them.
    if (measure === null) return /^[a-z\d, ]+$/.test(text) ? text.toUpperCase() : text;
    const { kind, parts } = measure;
    const [first = "", second = "", third = "", fourth = ""] = parts;
    const figure = Number(first);
    const amount = new Intl.NumberFormat(i18n.language);
    switch (kind) {
      case "pixels":
        return `${first} × ${second}`;
      case "bytes":
        return bytes(figure);
      case "bytesMax":
        return t("found.most", { amount: bytes(figure) });
      case "duration":
      case "durationMax":
      case "length":
        return t(`found.${kind}`, { seconds: amount.format(figure / 1_000) });
      case "lengths":
        return t("found.lengths", {
          from: amount.format(figure / 1_000),
          to: amount.format(Number(second) / 1_000),
        });
      case "bitRate":
      case "bitRateMin":
        return t(`found.${kind}`, { kilobits: amount.format(Math.floor(figure / 1_000)) });
      case "safeArea":
        return t("found.safeArea", { top: first, right: second, bottom: third, left: fourth });
      case "covered": {
        const names = parts.map((role) => t(`element.${role}` as never, { defaultValue: role }));
        return t("found.covered", { elements: names.join(", ") });
      }
      default:
        return t(`found.${kind}`, { amount: amount.format(figure) });
    }
  };
  return {
    elementName,
    faultWords: ({ code }: EngineFault): string => t(`fault.${code}`),
    adjustmentWords: ({ code, element }: Adjustment): string =>
      t(`adjustment.${code}`, { element: element === null ? "" : elementName(element) }),
    /** A warning in two or three words. */
    noteWords: ({ code, element }: Adjustment): string =>
      t(`note.${code}` as never, { element: element === null ? "" : elementName(element) }),
    measureWords,
    checkWords: ({ rule }: ComplianceCheck): string => t(`check.${rule}`),
    /** Alternative text of a drawing: its elements in reading order. */
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

/** Whether a buyer should know about an adjustment, because a part is missing or changed. */
export const isWarning = ({ code }: Adjustment): boolean =>
  code === "text_dropped" ||
  code === "element_dropped" ||
  code === "face_cut" ||
  code === "subject_cut" ||
  code === "upscaled";

/** Formats of the values that `src/renderer/compliance.ts` writes. */
const FORMS = {
  pixels: /^(\d+)x(\d+)$/,
  bytes: /^(\d+) bytes$/,
  bytesMax: /^at most (\d+) bytes$/,
  duration: /^(\d+(?:\.\d+)?) ms in all$/,
  durationMax: /^at most (\d+) ms$/,
  length: /^(\d+) ms$/,
  lengths: /^(\d+) to (\d+) ms$/,
  bitRate: /^(\d+) bits a second$/,
  bitRateMin: /^at least (\d+) bits a second$/,
  rate: /^(\d+(?:\.\d+)?) a second$/,
  rateMax: /^at most (\d+(?:\.\d+)?) a second$/,
  loopsMax: /^at most (\d+), then still$/,
  most: /^at most (\d+)$/,
  free: /^free$/,
  covered: /^covered by (.+)$/,
  safeArea: /^free: top (\d+), right (\d+), bottom (\d+), left (\d+) px$/,
} as const;
type MeasureKind = keyof typeof FORMS;

/**
 * Parses a value of the engine's checks for translation. `parts`: its figures or element names. Null if the value is
 * unknown or needs no translation, such as a format or a number.
 */
export function readMeasure(text: string) {
  let kind: MeasureKind;
  for (kind in FORMS) {
    const found = FORMS[kind].exec(text);
    if (found !== null) return { kind, parts: found.slice(1).flatMap((part) => part.split(", ")) };
  }
  return null;
}
