import { useTranslation } from "react-i18next";

const KILO = 1_000;

/** Formats a number of bytes in the user's language: kB below a megabyte, MB above. */
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
