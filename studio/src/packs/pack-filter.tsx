import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Select } from "#ui/select.tsx";
import { inputStyle } from "#ui/text-field.tsx";
import type { PackFilter } from "./pack-queries.ts";

const MOTIONS = ["all", "static", "animated"] as const;
/** A search begins once typing pauses for so long. */
const PAUSE_MS = 300;
/** As the API takes it. */
const SEARCH_CHARACTERS_MAX = 100;

interface PackFilterBarProps {
  readonly filter: PackFilter;
  readonly onChange: (filter: PackFilter) => void;
}

/** Words to search packs by, and whether they move. */
export function PackFilterBar({ filter, onChange }: PackFilterBarProps) {
  const { t } = useTranslation("packs");
  const [text, setText] = useState(filter.search);
  // What was searched for here last; the field goes on from there, and follows only what is changed elsewhere.
  const searched = useRef(filter.search);
  useEffect(() => {
    if (filter.search === searched.current) return;
    searched.current = filter.search;
    setText(filter.search);
  }, [filter.search]);
  useEffect(() => {
    const search = text.trim();
    if (search === filter.search) return;
    const timer = setTimeout(() => {
      searched.current = search;
      onChange({ ...filter, search });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, filter, onChange]);
  return (
    <search className="flex flex-wrap gap-3">
      <div className="min-w-0 flex-1 basis-56 sm:max-w-sm">
        <input
          type="search"
          value={text}
          maxLength={SEARCH_CHARACTERS_MAX}
          aria-label={t("search")}
          placeholder={`${t("search")}: ${t("searchHint")}`}
          onChange={(event) => setText(event.currentTarget.value)}
          className={inputStyle}
        />
      </div>
      <Select
        label={t("filter.label")}
        isLabelHidden
        value={filter.motion}
        options={MOTIONS.map((value) => ({ value, text: t(`filter.${value}`) }))}
        onChange={(motion) => onChange({ ...filter, motion })}
      />
    </search>
  );
}
