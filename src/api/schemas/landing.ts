import { z } from "@hono/zod-openapi";
import type { BannerNetwork } from "#catalogue/types.ts";

/** Click targets of HTML5 banners. */

const NETWORKS = ["google", "adform", "amazon", "xandr"] as const satisfies readonly BannerNetwork[];

export const networkSchema = z.enum(NETWORKS);

const CLICK_URL_CHARACTERS_MAX = 2_048;
/** Printable ASCII, except characters that could end an attribute or a string. */
const CHARACTERS = /^[!#$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z{}~]+$/;
/** Placeholders that ad servers replace: `%%NAME%%`, `${NAME}`, and Adform's prefix `%%c1;cpdir=`. */
const MACRO = /^(%%[A-Z_]+%%|\$\{[A-Z_]+\}|%%c1;cpdir=(%%)?)/;

/** The click macro at the beginning of a click URL; null if there is none. */
export const macroOf = (clickUrl: string): string | null => MACRO.exec(clickUrl)?.[0] ?? null;

const isClickUrl = (text: string): boolean => {
  const rest = text.slice(macroOf(text)?.length ?? 0);
  return CHARACTERS.test(text) && ((rest === "" && text !== "") || URL.canParse(rest));
};

export const clickUrlSchema = z.string().min(1).max(CLICK_URL_CHARACTERS_MAX).refine(isClickUrl, {
  message: "is neither a URL such as `https://example.com/spring` nor a network's click macro",
});
