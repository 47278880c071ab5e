import type { Contract } from "creative-packs";
import { type SharedSize, shareSizes } from "creative-packs-service/shared-sizes";
import { Check, ChevronDown, Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonStyle } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { dialogBody, dialogFoot } from "#ui/form.tsx";
import { Popover } from "#ui/popover.tsx";
import { inputStyle } from "#ui/text-field.tsx";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { chooseSizes, networksServedBy } from "../draft/edits.ts";
import { useIsWide } from "../grid/size-panel.tsx";
import { PictureCanvas } from "../grid/tile-card.tsx";
import { useTile } from "../use-engine.ts";
import { sizesIn } from "./change-contract.ts";
import { useSizeNames } from "./size-names.ts";

const isFor = ({ members }: SharedSize, group: string): boolean =>
  members.some((member) => member.group === group);

const KINDS = ["yours", "shared", "banner", "social", "video"] as const;
const BANNERS = ["iab", "gads", "amazon"];
const VIDEOS = ["meta-story", "meta-reel", "tiktok", "snapchat", "youtube-thumb", "youtube-banner"];

/** Picker of a contract's images, with search, whole networks and the price. */
export function SizePicker({
  contract,
  onDone,
}: {
  readonly contract: Contract;
  readonly onDone: () => void;
}) {
  const { t } = useTranslation("editor");
  const { groupName, groupNames, pixelNames } = useSizeNames();
  const isWide = useIsWide();
  const edit = useEdit();
  const [search, setSearch] = useState("");
  const { outputFormat, motion, sizeIds } = useDraft((draft) => draft);
  const sizes = sizesIn(contract, outputFormat);
  // Ids of the images that were chosen when the picker was opened. They are listed first; later choices do not move
  // cards.
  const [yours] = useState(() =>
    shareSizes(sizes, outputFormat)
      .filter((image) => networksServedBy(image, sizeIds).length > 0)
      .map(({ size }) => size.sizeId),
  );
  const images = shareSizes(sizes, outputFormat);
  const groups = [...new Set(sizes.map(({ group }) => group))];
  const choose = (some: readonly SharedSize[], isChosen: boolean): void =>
    edit((draft) => chooseSizes(draft, contract.sizes, some, isChosen));
  // Images of which several sizes are chosen, or a single size other than `size`, whose file fewer networks accept.
  const imagesWithOtherSizes = images.filter(({ size, members }) => {
    const ids = members.map(({ sizeId }) => sizeId).filter((sizeId) => sizeIds.includes(sizeId));
    return ids.length > 0 && ids.join() !== size.sizeId;
  });
  /** These images by the names of the networks that choosing `size` would add; "" for none. */
  const offers = new Map<string, SharedSize[]>();
  for (const image of imagesWithOtherSizes) {
    const served = networksServedBy(image, sizeIds);
    const more = groupNames(
      image.members.map(({ group }) => group).filter((group) => !served.includes(group)),
    );
    offers.set(more, [...(offers.get(more) ?? []), image]);
  }
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
  const networks = groups.map((group) => {
    const all = images.filter((image) => isFor(image, group));
    const count = all.filter((image) => networksServedBy(image, sizeIds).includes(group)).length;
    const own = all.filter(({ members }) => members.length === 1);
    // Deselecting a network keeps images that also serve other networks, unless the network has only such images.
    const change = (isOn: boolean) => choose(isOn || own.length === 0 ? all : own, isOn);
    return (
      <Checkbox
        key={group}
        isChecked={count === all.length}
        isPartly={count > 0 && count < all.length}
        onChange={change}
      >
        {groupName(group)} <span className="text-xs text-quiet tabular-nums">{`${count}/${all.length}`}</span>
      </Checkbox>
    );
  });
  return (
    <>
      <div className="flex flex-wrap items-center justify-between border-b border-line px-4 py-3 *:last:-mr-3.5 max-sm:pb-0 max-sm:[&>button]:-mx-3.5">
        <div className="flex min-w-0 flex-1 gap-2 max-sm:basis-full">
          <div className="relative min-w-0 flex-1">
            <Search size={16} className="absolute inset-y-0 left-3 my-auto text-quiet" />
            <input
              type="search"
              value={search}
              aria-label={t("sizes.search")}
              placeholder={t("sizes.search")}
              onChange={(event) => setSearch(event.currentTarget.value)}
              className={`${inputStyle} pl-9`}
            />
          </div>
          {!isWide && (
            <Popover
              title={t("sizes.wholeNetworks")}
              buttonStyle={buttonStyle()}
              text={
                <>
                  {t("sizes.wholeNetworks")} <ChevronDown className="-mr-1 size-4 text-quiet" />
                </>
              }
            >
              <div className={`${NETWORKS} -m-1 max-h-[65dvh] overflow-y-auto p-1 [&>label]:py-1.5`}>
                {networks}
              </div>
            </Popover>
          )}
        </div>
        <Button kind="link" onClick={() => choose(images, true)}>
          {`${t("sizes.all")} · ${t("sizes.credits", { count: images.length * contract.prices[motion] })}`}
        </Button>
        <Button kind="link" onClick={() => choose(images, false)}>
          {t("sizes.none")}
        </Button>
      </div>
      <div className={dialogBody}>
        <div className="grid min-h-[62dvh] content-start gap-x-8 lg:grid-cols-[max-content_minmax(0,1fr)]">
          {isWide && (
            <fieldset className={`${NETWORKS} sticky top-0 gap-2 self-start`}>
              <legend className="mb-2 text-sm font-semibold">{t("sizes.wholeNetworks")}</legend>
              {networks}
            </fieldset>
          )}
          <div className="flex min-w-0 flex-col gap-6">
            {imagesWithOtherSizes.length > 0 && (
              <div className="flex items-center justify-between gap-x-6 gap-y-2 rounded-md bg-accent-soft px-3.5 py-2.5 text-sm max-sm:flex-col max-sm:items-start max-sm:gap-0 max-sm:pb-0 max-sm:[&>button]:-mx-3.5">
                <div className="flex flex-col gap-1 text-balance">
                  {[...offers].map(([names, some]) => (
                    <p key={names}>
                      {t(names === "" ? "sizes.serveOnce" : "sizes.serveMore", {
                        count: some.length,
                        sizes: pixelNames(some.map(({ size }) => size)),
                        names,
                      })}
                    </p>
                  ))}
                </div>
                <Button
                  kind={isWide ? "secondary" : "link"}
                  onClick={() => choose(imagesWithOtherSizes, true)}
                >
                  {t([...offers.keys()].join("") === "" ? "sizes.merge" : "sizes.serveAll")}
                </Button>
              </div>
            )}
            {sections.map(({ id, found: some }) =>
              some.length === 0 ? null : (
                <section key={id} aria-label={t(`sizes.kinds.${id}`)} className="flex flex-col gap-2.5">
                  <h3 className="text-sm font-semibold">
                    {t(`sizes.kinds.${id}`)}{" "}
                    <span className="ml-1 font-normal text-quiet tabular-nums">{some.length}</span>
                  </h3>
                  <div className="grid auto-rows-fr grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-2.5 max-sm:grid-cols-1 max-sm:gap-2">
                    {some.map((image) => (
                      <SizeCard
                        key={image.size.sizeId}
                        image={image}
                        sizeIds={sizeIds}
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

/** Checkboxes of networks, each with its count. */
const NETWORKS =
  "flex flex-col whitespace-nowrap [&>label>:last-child]:flex [&>label>:last-child]:flex-1 [&>label>:last-child]:items-baseline [&>label>:last-child]:justify-between [&>label>:last-child]:gap-4";

interface SizeCardProps {
  readonly image: SharedSize;
  readonly sizeIds: readonly string[];
  readonly onChange: (isChosen: boolean) => void;
}

/** Maximum networks named on a card. */
const NAMES_MAX = 3;
/** Maximum width and height of a card's picture, in CSS px. */
const PICTURE = { width: 112, height: 104 };

/**
 * Card of an image: its picture (or its outline until it is drawn), its dimensions, and the networks that accept its
 * file.
 */
function SizeCard({ image, sizeIds, onChange }: SizeCardProps) {
  const { groupNames, groupName } = useSizeNames();
  const { size, members } = image;
  const pixels = `${size.width} × ${size.height}`;
  const served = networksServedBy(image, sizeIds);
  const isChosen = served.length > 0;
  const groups = isChosen ? served : members.map(({ group }) => group);
  const drawnId = members.find(({ sizeId }) => sizeIds.includes(sizeId))?.sizeId ?? null;
  const drawing = useTile(drawnId)?.drawing ?? null;
  const outline = isChosen ? "border-accent bg-accent/25" : "border-strong-line bg-sunk";
  return (
    <label
      title={groupNames(groups)}
      className="relative isolate flex items-center rounded-lg border border-line bg-card px-3 has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent max-sm:min-h-16 max-sm:gap-3 max-sm:py-2 sm:flex-col sm:gap-2 sm:pt-4 sm:pb-3 sm:text-center hover:border-strong-line"
    >
      <input
        type="checkbox"
        aria-label={`${groups.map(groupName).join(", ")} ${pixels}`}
        className="absolute inset-0 z-10 size-full scroll-my-20 cursor-pointer opacity-0"
        checked={isChosen}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {isChosen && <Check size={16} className="absolute right-2 text-accent max-sm:right-3 sm:top-2" />}
      <span
        aria-hidden="true"
        className="flex shrink-0 items-center justify-center max-sm:h-12 max-sm:w-14 sm:h-26"
      >
        <span
          style={{
            width: Math.min(PICTURE.width, (PICTURE.height * size.width) / size.height),
            aspectRatio: `${size.width} / ${size.height}`,
          }}
          className={`relative block shrink-0 overflow-hidden rounded-[2px] max-sm:scale-45 ${drawing === null ? `border max-sm:border-2 ${outline}` : "shadow-[0_0_0_1px_var(--line)]"}`}
        >
          {drawing !== null && <PictureCanvas picture={drawing.picture} alt="" />}
        </span>
      </span>
      <span className="flex flex-col gap-0.5 max-sm:pr-5">
        <span className="text-sm font-medium whitespace-nowrap tabular-nums">{pixels}</span>
        <span className="text-xs text-balance text-quiet">
          {groups.length > NAMES_MAX
            ? `${groupNames(groups.slice(0, 1))}, ${groupNames(groups.slice(1, 2))} +${groups.length - 2}`
            : groupNames(groups)}
        </span>
      </span>
    </label>
  );
}
