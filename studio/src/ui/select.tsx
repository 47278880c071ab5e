import { Select as Base } from "@base-ui/react/select";
import { Check, ChevronDown } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { LANGUAGES, type Language, languages } from "#words/words.ts";

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly text: string;
}

interface SelectProps<Value extends string> {
  readonly label: string;
  /** Whether only screen readers read the label, because the context makes it clear to others. */
  readonly isLabelHidden?: boolean;
  readonly value: Value;
  readonly options: readonly SelectOption<Value>[];
  readonly onChange: (value: Value) => void;
}

/** A select with a few options. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, isLabelHidden = false, value, options, onChange } = props;
  const labelId = useId();
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <span id={labelId} className={isLabelHidden ? "sr-only" : "text-sm font-medium"}>
        {label}
      </span>
      <Base.Root
        items={options.map((option) => ({ value: option.value, label: option.text }))}
        value={value}
        onValueChange={(chosen) => {
          if (chosen !== null) onChange(chosen);
        }}
      >
        <Base.Trigger
          aria-labelledby={labelId}
          className="flex min-h-9 w-full max-sm:min-h-11 pointer-coarse:min-h-11 items-center justify-between gap-2 rounded-md border border-strong-line bg-card px-3 py-1.5 text-left text-sm"
        >
          <Base.Value className="truncate" />
          <Base.Icon className="text-quiet">
            <ChevronDown className="size-4" />
          </Base.Icon>
        </Base.Trigger>
        <Base.Portal>
          <Base.Positioner sideOffset={4} className="z-50 outline-none" alignItemWithTrigger={false}>
            <Base.Popup className="max-h-80 overflow-y-auto rounded-md border border-line bg-card p-1 shadow-lg">
              <Base.List>
                {options.map((option) => (
                  <Base.Item
                    key={option.value}
                    value={option.value}
                    className="flex cursor-pointer items-center gap-2 rounded px-2.5 py-1.5 text-sm outline-none data-[highlighted]:bg-sunk"
                  >
                    <span className="w-4" aria-hidden="true">
                      <Base.ItemIndicator>
                        <Check className="size-4" />
                      </Base.ItemIndicator>
                    </span>
                    <Base.ItemText>{option.text}</Base.ItemText>
                  </Base.Item>
                ))}
              </Base.List>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </div>
  );
}

interface MailLanguageSelectProps {
  readonly value: Language;
  readonly onChange: (language: Language) => void;
}

/** Select for the language of a user's emails. */
export function MailLanguageSelect({ value, onChange }: MailLanguageSelectProps) {
  const { t } = useTranslation();
  return (
    <Select
      label={t("mailLanguage")}
      value={value}
      options={languages.map((language) => ({ value: language, text: LANGUAGES[language] }))}
      onChange={onChange}
    />
  );
}
