import type { Contract } from "creative-packs";
import { type SharedSize, shareSizes } from "creative-packs-service/shared-sizes";
import { Check, Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { dialogBody, dialogFoot } from "#ui/form.tsx";
import { inputStyle } from "#ui/text-field.tsx";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { chooseSizes, servedBy } from "../draft/edits.ts";
import { sizesIn } from "./change-contract.ts";
import { outlineOf, useSizeNames } from "./size-names.ts";

const isFor = ({ members }: SharedSize, group: string): boolean =>
  members.some((member) => member.group === group);

const KINDS = ["yours", "shared", "banner", "social", "video"] as const;
const BANNERS = ["iab", "gads", "amazon"];
const VIDEOS = ["meta-story", "meta-reel", "tiktok", "snapchat", "youtube-thumb", "youtube-banner"];

/** The images of a contract to choose from, with a search, whole networks at once, and the price. */
export function SizePicker({
  contract,
  onDone,
}: {
  readonly contract: Contract;
  readonly onDone: () => void;
}) {
  const { t } = useTranslation("editor");
  const { groupName } = useSizeNames();
  const edit = useEdit();
  const [search, setSearch] = useState("");
  const { outputFormat, motion, sizeIds } = useDraft((draft) => draft);
  const sizes = sizesIn(contract, outputFormat);
  // As they were on opening: a card that is ticked stays where it is.
  const [yours] = useState(() =>
    shareSizes(sizes, outputFormat)
      .filter((image) => servedBy(image, sizeIds).length > 0)
      .map(({ size }) => size.sizeId),
  );
  const images = shareSizes(sizes, outputFormat);
  const groups = [...new Set(sizes.map(({ group }) => group))];
  const choose = (some: readonly SharedSize[], isChosen: boolean): void =>
    edit((draft) => chooseSizes(draft, contract.sizes, some, isChosen));
  // Chosen several times, or in a size whose file serves fewer networks than the strictest one's would.
  const lesser = images.filter(({ size, members }) => {
    const ids = members.map(({ sizeId }) => sizeId).filter((sizeId) => sizeIds.includes(sizeId));
    return ids.length > 0 && ids.join() !== size.sizeId;
  });
  const more = new Set(
    lesser.flatMap((image) =>
      image.members.map(({ group }) => group).filter((group) => !servedBy(image, sizeIds).includes(group)),
    ),
  );
  const words = search.toLowerCase().split(/\s+/);
  const found = images.filter(({ size: { width, height }, members }) => {
    const names = members.map(({ group }) => groupName(group)).join(" ");
    const text = `${width}x${height} ${width}×${height} × ${names}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const kindOf = ({ size: { sizeId, group }, members }: SharedSize): (typeof KINDS)[number] => {
    if (yours.includes(sizeId)) return "yours";
    if (members.length > 1) return "shared";
    return BANNERS.includes(group) ? "banner" : VIDEOS.includes(group) ? "video" : "social";
  };
  const sections = KINDS.map((id) => ({ id, found: found.filter((image) => kindOf(image) === id) }));
  return (
    <>
      <div className="relative flex flex-wrap items-center justify-between border-b border-line px-4 py-3 max-sm:[&>button]:-mx-3.5">
        <Search size={16} className="absolute top-5.5 left-7 text-quiet" />
        <input
          type="search"
          value={search}
          aria-label={t("sizes.search")}
          placeholder={t("sizes.search")}
          onChange={(event) => setSearch(event.currentTarget.value)}
          className={`${inputStyle} min-w-0 pl-9 max-sm:basis-full sm:flex-1`}
        />
        <Button kind="link" onClick={() => choose(images, true)}>
          {`${t("sizes.all")} · ${t("sizes.credits", { count: images.length * contract.prices[motion] })}`}
        </Button>
        <Button kind="link" onClick={() => choose(images, false)}>
          {t("sizes.none")}
        </Button>
      </div>
      <div className={dialogBody}>
        <div className="grid min-h-[62dvh] content-start gap-x-8 gap-y-5 md:grid-cols-[13rem_minmax(0,1fr)]">
          <fieldset className="flex min-w-0 gap-2 self-start max-md:-mx-4 max-md:overflow-x-auto max-md:px-4 max-md:py-1 md:sticky md:top-0 md:flex-col max-md:[&>label]:min-h-10 max-md:[&>label]:items-center max-md:[&>label]:rounded-full max-md:[&>label]:border max-md:[&>label]:border-line max-md:[&>label]:px-3 max-md:[&>label]:whitespace-nowrap [&>label>:last-child]:flex [&>label>:last-child]:flex-1 [&>label>:last-child]:items-baseline [&>label>:last-child]:justify-between [&>label>:last-child]:gap-2">
            <legend className="mb-2 text-sm font-semibold max-md:sr-only">{t("sizes.wholeNetworks")}</legend>
            {groups.map((group) => {
              const all = images.filter((image) => isFor(image, group));
              const count = all.filter((image) => servedBy(image, sizeIds).includes(group)).length;
              const own = all.filter(({ members }) => members.length === 1);
              // What other networks take, too, is deselected only where the network has nothing else.
              const change = (isOn: boolean) => choose(isOn || own.length === 0 ? all : own, isOn);
              return (
                <Checkbox
                  key={group}
                  isChecked={count === all.length}
                  isPartly={count > 0 && count < all.length}
                  onChange={change}
                >
                  {groupName(group)}{" "}
                  <span className="text-xs whitespace-nowrap text-quiet tabular-nums">{`${count}/${all.length}`}</span>
                </Checkbox>
              );
            })}
          </fieldset>
          <div className="flex min-w-0 flex-col gap-6">
            {lesser.length > 0 && (
              <div className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-accent-soft px-3.5 py-2 text-sm">
                {t("sizes.serveMore", { count: lesser.length, names: [...more].map(groupName).join(", ") })}
                <Button onClick={() => choose(lesser, true)}>{t("sizes.serveAll")}</Button>
              </div>
            )}
            {sections.map(({ id, found: some }) =>
              some.length === 0 ? null : (
                <section key={id} aria-label={t(`sizes.kinds.${id}`)} className="flex flex-col gap-2">
                  <h3 className="text-sm font-semibold">{t(`sizes.kinds.${id}`)}</h3>
                  <div className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-2">
                    {some.map((image) => (
                      <SizeCard
                        key={image.size.sizeId}
                        image={image}
                        served={servedBy(image, sizeIds)}
                        onChange={(isOn) => choose([image], isOn)}
                      />
                    ))}
                  </div>
                </section>
              ),
            )}
            {found.length === 0 && (
              <p className="py-8 text-center text-sm text-quiet">{t("sizes.noMatch")}</p>
            )}
          </div>
        </div>
      </div>
      <div className={dialogFoot}>
        <p aria-live="polite" className="mr-auto text-sm font-medium tabular-nums">
          {t("sizes.chosen", { count: sizeIds.length })} ·{" "}
          {t("sizes.credits", { count: sizeIds.length * contract.prices[motion] })}
        </p>
        <Button kind="primary" onClick={onDone}>
          {t("sizes.done")}
        </Button>
      </div>
    </>
  );
}

interface SizeCardProps {
  readonly image: SharedSize;
  /** The networks that the draft serves with it; none while it is not chosen. */
  readonly served: readonly string[];
  readonly onChange: (isChosen: boolean) => void;
}

/** Networks that are named on a card. */
const CHIPS_MAX = 3;

/** A size to choose: its outline in true proportions, its pixels, and the networks that take its file. */
function SizeCard({ image: { size, members }, served, onChange }: SizeCardProps) {
  const { groupName } = useSizeNames();
  const pixels = `${size.width} × ${size.height}`;
  const isChosen = served.length > 0;
  const groups = (isChosen ? served : members.map(({ group }) => group)).map(groupName);
  const networks = groups.join(", ");
  return (
    <label className="relative flex cursor-pointer flex-col items-center gap-1 rounded-lg border border-line bg-card px-2 pt-3 pb-2.5 text-center has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent hover:border-strong-line">
      <input
        type="checkbox"
        aria-label={`${networks} ${pixels}`}
        className="absolute size-px opacity-0"
        checked={isChosen}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {isChosen && <Check size={16} className="absolute top-2 right-2 text-accent" />}
      <span aria-hidden="true" className="mb-1 flex h-16 items-center">
        <span
          style={outlineOf(size)}
          className={`block scale-150 rounded-[1.5px] border ${isChosen ? "border-accent bg-accent" : "border-strong-line bg-sunk"}`}
        />
      </span>
      <span className="text-sm font-medium whitespace-nowrap tabular-nums">{pixels}</span>
      <span className="flex flex-wrap justify-center gap-1" title={networks}>
        {(groups.length > CHIPS_MAX ? [...groups.slice(0, 2), `+${groups.length - 2}`] : groups).map(
          (chip) => (
            <span
              key={chip}
              className="rounded-full border border-strong-line px-1.5 text-[0.6875rem] leading-5 text-quiet"
            >
              {chip}
            </span>
          ),
        )}
      </span>
    </label>
  );
}
