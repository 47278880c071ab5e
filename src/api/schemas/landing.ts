import { z } from "@hono/zod-openapi";
import type { BannerNetwork } from "#catalogue/types.ts";

/** Where a click on an HTML5 banner leads. */

const NETWORKS = ["google", "adform", "amazon", "xandr"] as const satisfies readonly BannerNetwork[];

export const networkSchema = z.enum(NETWORKS);

const CLICK_URL_CHARACTERS_MAX = 2_048;
/** Printable ASCII without what would end an attribute or a string. */
const CHARACTERS = /^[!#$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z{}~]+$/;
/** What ad servers replace: `%%NAME%%`, `${NAME}`, and Adform's open prefix. */
const MACRO = /^(%%[A-Z_]+%%|\$\{[A-Z_]+\}|%%c1;cpdir=(%%)?)/;

/** The click macro that an address begins with; null where it begins with none. */
export const macroOf = (clickUrl: string): string | null => MACRO.exec(clickUrl)?.[0] ?? null;

const isClickUrl = (text: string): boolean => {
  const rest = text.slice(macroOf(text)?.length ?? 0);
  return CHARACTERS.test(text) && ((rest === "" && text !== "") || URL.canParse(rest));
};

export const clickUrlSchema = z.string().min(1).max(CLICK_URL_CHARACTERS_MAX).refine(isClickUrl, {
  message: "is no address such as `https://example.com/spring`, nor a network's click macro",
});
