import type { Size } from "creative-packs";
import { useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { SizeGroup } from "#ui/size-tiles.tsx";
import { outlineOf, useSizeNames } from "./size-names.ts";

interface SizeGroupFieldProps {
  readonly group: SizeGroup<Size>;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (sizeIds: readonly string[], isChosen: boolean) => void;
}

/** The sizes of one network, each in its true proportions. */
export function SizeGroupField({ group: { group, sizes }, chosen, onChoose }: SizeGroupFieldProps) {
  const { t } = useTranslation("editor");
  const { groupName } = useSizeNames();
  const wholeId = useId();
  const count = sizes.filter(({ sizeId }) => chosen.has(sizeId)).length;
  return (
    <fieldset className="flex flex-col gap-1.5 border-t border-line pt-2.5">
      <legend className="sr-only">{groupName(group)}</legend>
      <div className="flex items-center gap-2 text-sm">
        <PartlyCheckbox
          id={wholeId}
          label={t("sizes.wholeGroup", { group: groupName(group) })}
          count={count}
          total={sizes.length}
          onChange={(isChosen) =>
            onChoose(
              sizes.map(({ sizeId }) => sizeId),
              isChosen,
            )
          }
        />
        <label htmlFor={wholeId} className="cursor-pointer font-medium">
          {groupName(group)}
        </label>
        <span className="ml-auto text-xs text-quiet tabular-nums">
          {t("sizes.groupCount", { chosen: count, count: sizes.length })}
        </span>
      </div>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(5.25rem,1fr))] gap-1.5">
        {sizes.map((size) => (
          <SizeChoice
            key={size.sizeId}
            size={size}
            isChosen={chosen.has(size.sizeId)}
            onChange={(isChosen) => onChoose([size.sizeId], isChosen)}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface PartlyCheckboxProps {
  readonly id: string;
  readonly label: string;
  readonly count: number;
  readonly total: number;
  readonly onChange: (isChosen: boolean) => void;
}

function PartlyCheckbox({ id, label, count, total, onChange }: PartlyCheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  const isPartly = count > 0 && count < total;
  useEffect(() => {
    if (input.current !== null) input.current.indeterminate = isPartly;
  }, [isPartly]);
  return (
    <input
      ref={input}
      id={id}
      type="checkbox"
      aria-label={label}
      className="size-4 accent-accent"
      checked={count === total}
      onChange={() => onChange(count < total)}
    />
  );
}

interface SizeChoiceProps {
  readonly size: Size;
  readonly isChosen: boolean;
  readonly onChange: (isChosen: boolean) => void;
}

function SizeChoice({ size, isChosen, onChange }: SizeChoiceProps) {
  const { sizeName } = useSizeNames();
  return (
    <label className="relative flex cursor-pointer flex-col items-center justify-end gap-1.5 rounded-md border border-line bg-card px-1 pt-2 pb-1.5 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent hover:border-strong-line">
      <input
        type="checkbox"
        aria-label={sizeName(size)}
        className="absolute size-px opacity-0"
        checked={isChosen}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span
        aria-hidden="true"
        style={outlineOf(size)}
        className={`block rounded-[2px] border ${isChosen ? "border-accent bg-accent" : "border-strong-line"}`}
      />
      <span className="text-[0.6875rem] leading-tight whitespace-nowrap tabular-nums">
        {size.width} × {size.height}
      </span>
    </label>
  );
}
