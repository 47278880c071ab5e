import { useTranslation } from "react-i18next";

const KILO = 1_000;

/** Writes a number of bytes as people read it, in their language: in kB below a megabyte, in MB above it. */
export function useBytes(): (byteLength: number) => string {
  const { i18n } = useTranslation();
  return (byteLength) => {
    const unit = byteLength < KILO * KILO ? "kilobyte" : "megabyte";
    const value = byteLength / (unit === "kilobyte" ? KILO : KILO * KILO);
    return new Intl.NumberFormat(i18n.language, { style: "unit", unit, maximumFractionDigits: 1 }).format(
      value,
    );
  };
}
