import { Toolbar } from "@base-ui/react/toolbar";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Select } from "#ui/select.tsx";
import { type Draft, TEXT_FIELDS } from "../draft/draft.ts";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { textFault } from "../order/pack-request.ts";
import { Section } from "../section.tsx";
import { PackText } from "./pack-text.tsx";

const FIRST = ["headline", "subheadline", "cta"] as const;
/** Optional fields, hidden until they have a value or the user adds them. */
const FURTHER = ["price", "oldPrice", "badge", "disclaimer", "language"] as const;
type Further = (typeof FURTHER)[number];

const isUsed = ({ texts, language }: Draft, field: Further): boolean =>
  (field === "language" ? language : texts[field]) !== "";

const focusField = (area: HTMLElement | null): void =>
  area?.querySelector<HTMLElement>("input, button")?.focus();

/** Section with the pack's texts. */
export function WordsSection() {
  const { t } = useTranslation("editor");
  const language = useDraft((draft) => draft.language);
  const edit = useEdit();
  const headline = useDraft(({ texts }) => texts.headline);
  const hasFault = useDraft(({ texts }) => TEXT_FIELDS.some((field) => textFault(texts, field) !== null));
  // A string, because a new array per keystroke would render the section again.
  const used = useDraft((draft) => FURTHER.filter((field) => isUsed(draft, field)).join(" "));
  const [shown, setShown] = useState(used);
  const [added, setAdded] = useState<Further | null>(null);
  // A field stays visible after the user empties it.
  const isShown = (field: Further): boolean => `${shown} ${used}`.split(" ").includes(field);
  if (used.split(" ").some((field) => !shown.split(" ").includes(field))) setShown(`${shown} ${used}`);
  const hidden = FURTHER.filter((field) => !isShown(field));
  return (
    <Section panel="words" title={t("copy.title")} summary={headline} mustShow={hasFault}>
      <p className="-mt-1 text-xs text-balance text-quiet">{t("copy.lead")}</p>
      {FIRST.map((field) => (
        <PackText key={field} field={field} />
      ))}
      <div className="grid grid-cols-2 gap-3 empty:hidden">
        {FURTHER.filter(isShown).map((field) => (
          <div
            key={field}
            ref={field === added ? focusField : null}
            className={field.endsWith("rice") ? "" : "col-span-2"}
          >
            {field === "language" ? (
              <LanguageSelect
                language={language}
                onChange={(tag) => edit((draft) => ({ ...draft, language: tag }))}
              />
            ) : (
              <PackText field={field} />
            )}
          </div>
        ))}
      </div>
      <Toolbar.Root aria-label={t("copy.add")} className="flex flex-wrap gap-1.5 empty:hidden">
        {hidden.map((field) => (
          <Toolbar.Button
            key={field}
            onClick={() => {
              setShown(`${shown} ${field}`);
              setAdded(field);
            }}
            className="flex items-center gap-1 rounded-full border border-line py-1 pr-2.5 pl-2 text-xs hover:border-strong-line"
          >
            <Plus className="size-3.5 text-quiet" />
            {t(`copy.${field}`)}
          </Toolbar.Button>
        ))}
      </Toolbar.Root>
    </Section>
  );
}

/**
 * Languages of most ads. The API accepts every language tag, so an earlier pack may have a tag that is not listed here.
 */
const TAGS = "en de fr es it pt nl da sv nb fi pl cs hu tr el uk ar he hi th ja ko zh-Hans zh-Hant".split(
  " ",
);

/** Value of the empty option, since a select's value cannot be empty. */
const NONE = "none";

interface LanguageSelectProps {
  /** A BCP 47 tag; empty if not set. */
  readonly language: string;
  readonly onChange: (language: string) => void;
}

/** Language of the texts. */
export function LanguageSelect({ language, onChange }: LanguageSelectProps) {
  const { t, i18n } = useTranslation("editor");
  const names = new Intl.DisplayNames(i18n.language, { type: "language" });
  const tags = language === "" || TAGS.includes(language) ? TAGS : [...TAGS, language];
  const named = tags.map((tag) => ({ value: tag, text: names.of(tag) ?? tag }));
  named.sort((a, b) => a.text.localeCompare(b.text, i18n.language));
  return (
    <div className="flex flex-col gap-1">
      <Select
        label={t("copy.language")}
        value={language === "" ? NONE : language}
        options={[{ value: NONE, text: t("copy.languageNone") }, ...named]}
        onChange={(tag) => onChange(tag === NONE ? "" : tag)}
      />
      <p className="text-xs text-quiet">{t("copy.languageHint")}</p>
    </div>
  );
}
