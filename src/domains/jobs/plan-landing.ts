import { accept, type Outcome, refuse } from "#api/errors.ts";
import type { PackRequest } from "#api/schemas/job.ts";
import { macroOf } from "#api/schemas/landing.ts";
import type { BannerNetwork, Contract, OutputFormat, Size } from "#catalogue/types.ts";
import type { OutputRequest } from "#renderer/index.ts";
import { NAMES_SHOWN_MAX, quoted } from "./format-names.ts";
import type { JobPlan } from "./job.ts";

/** A macro of the form `${name}`. */
const braced = (name: string): string => `$\{${name}}`;

/** Click macros from the networks' documentation; `amazon` and `adform` from secondary sources. */
const MACROS: Readonly<Record<BannerNetwork, readonly string[]>> = {
  google: ["%%CLICK_URL_UNESC%%", "%%CLICK_URL_ESC%%", braced("CLICK_URL"), braced("CLICK_URL_ENC")],
  adform: ["%%c1;cpdir=", "%%c1;cpdir=%%"],
  amazon: ["%%CLICK_URL%%"],
  xandr: [braced("CLICK_URL"), braced("CLICK_URL_ENC")],
};

type Landing = Pick<JobPlan, "network" | "clickUrl">;

/**
 * The click target. An HTML5 banner needs an `https:` URL or a macro of its network; other formats accept neither. 422
 * otherwise.
 */
export function planLanding(
  { network, clickUrl }: Pick<PackRequest, "network" | "clickUrl">,
  format: OutputFormat,
): Outcome<Landing> {
  const named = network ?? "google";
  const macros = MACROS[named];
  if (format !== "html5") {
    return network === undefined && clickUrl === undefined
      ? accept({ network: null, clickUrl: null })
      : refuse(
          "CLICK_URL_UNSUPPORTED",
          `Files of \`outputFormat\` \`${format}\` have no click: leave \`network\` and \`clickUrl\` out.`,
        );
  }
  if (clickUrl === undefined)
    return refuse("CLICK_URL_UNSUPPORTED", "An HTML5 banner needs a `clickUrl`.", { macros });
  const macro = macroOf(clickUrl);
  const address = clickUrl.slice(macro?.length ?? 0);
  const isKnown = macro === null || macros.includes(macro);
  if (!isKnown || (address !== "" && new URL(address).protocol !== "https:")) {
    const message = `\`clickUrl\` is neither an \`https:\` address nor a click macro of \`${named}\`.`;
    return refuse("CLICK_URL_UNSUPPORTED", message, { macros });
  }
  return accept({ network: named, clickUrl });
}

/** The plan's landing for the renderer; only HTML5 banners have one. */
export const landingOf = ({ network, clickUrl }: Landing): Pick<OutputRequest, "landing"> =>
  network === null || clickUrl === null ? {} : { landing: { network, clickUrl } };

/** HTML5 and video need sizes whose networks accept them; other formats suit every size. */
export function checkFormatOfSizes(
  contract: Contract,
  selected: readonly string[],
  format: OutputFormat,
): Outcome<void> {
  const takes = ({ banner, video }: Size): boolean =>
    format === "html5" ? banner !== undefined : format === "mp4" ? video !== undefined : true;
  const takers = contract.sizes.filter(takes).map(({ sizeId }) => sizeId);
  const others = selected.filter((sizeId) => !takers.includes(sizeId));
  if (others.length === 0) return accept(undefined);
  const some = takers.slice(0, NAMES_SHOWN_MAX);
  const hint = some.length === 0 ? "None of this contract is." : `Sizes for which it is: ${quoted(some)}.`;
  const message = `\`${format}\` is not made for ${quoted(others.slice(0, NAMES_SHOWN_MAX))}, whose network takes none. ${hint}`;
  return refuse("FORMAT_UNSUPPORTED", message, { motion: "animated", sizeIds: others });
}
