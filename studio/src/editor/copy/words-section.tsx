import { useTranslation } from "react-i18next";
import { useDraft } from "../draft/editor-store.ts";
import { Section } from "../section.tsx";
import { LanguageSelect } from "./language-select.tsx";
import { PackText } from "./pack-text.tsx";

const FIRST = ["headline", "subheadline", "cta"] as const;
const FURTHER = ["price", "oldPrice", "badge", "disclaimer"] as const;

/** The words of the pack. */
export function WordsSection() {
  const { t } = useTranslation("editor");
  const hasFurther = useDraft(
    ({ texts, language }) => language !== "" || FURTHER.some((field) => texts[field] !== ""),
  );
  return (
    <Section title={t("copy.title")} lead={t("copy.lead")}>
      {FIRST.map((field) => (
        <PackText key={field} field={field} />
      ))}
      {/* Opened where there is something in it, and then left to the person. */}
      <details open={hasFurther || undefined} className="group rounded-lg border border-line">
        <summary className="cursor-pointer rounded-lg px-3 py-2 text-sm font-medium hover:bg-sunk">
          {t("copy.more")}
        </summary>
        <div className="flex flex-col gap-3 px-3 pt-1 pb-3">
          <div className="grid gap-3 sm:grid-cols-2">
            {FURTHER.slice(0, 2).map((field) => (
              <PackText key={field} field={field} />
            ))}
          </div>
          {FURTHER.slice(2).map((field) => (
            <PackText key={field} field={field} />
          ))}
          <LanguageSelect />
        </div>
      </details>
    </Section>
  );
}
