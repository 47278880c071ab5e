import type { Landing } from "../types.ts";

/** The parts of a page that depend on the ad server. */
export interface PageRules {
  /** Lines of the head: the ad server's library, and the click tag. */
  readonly head: readonly string[];
  /** The address of the link that covers the page. */
  readonly href: string;
  /** Additional files, by name. */
  readonly files: Readonly<Record<string, string>>;
}

const ADFORM_LIBRARY = "https://s1.adform.net/banners/scripts/rmb/Adform.DHTML.js";
const XANDR_LIBRARY = "https://acdn.adnxs.com/html5-lib/1.4.1/appnexus-html5-lib.min.js";

const OPEN = "javascript:void(window.open(clickTag))";

/** The click code of an ad server, as its network documents it. */
export function pageRulesOf(
  { network, clickUrl }: Landing,
  title: string,
  width: number,
  height: number,
): PageRules {
  const target = literal(clickUrl);
  switch (network) {
    case "adform":
      return {
        head: [
          `<script>document.write('<script src="' + (window.API_URL || '${ADFORM_LIBRARY}?bv=' + Math.random()) + '"><\\/script>');</script>`,
          "<script>",
          "// The second address is the target where Adform's library is absent.",
          `var clickTag = window.dhtml ? dhtml.getVar("clickTAG", ${target}) : ${target};`,
          "</script>",
        ],
        href: OPEN,
        files: { "manifest.json": manifestOf(clickUrl, title, width, height) },
      };
    case "xandr":
      return {
        head: [`<script src="${XANDR_LIBRARY}"></script>`],
        href: 'javascript:void(window.open(APPNEXUS.getClickTag(), "_blank"))',
        files: {},
      };
    case "google":
    case "amazon":
      return {
        head: [
          "<!-- The ad server puts its own address in place of this one. -->",
          `<script type="text/javascript">var clickTag = ${target};</script>`,
        ],
        href: OPEN,
        files: {},
      };
  }
}

/** A JavaScript string literal, escaped so that the text cannot end the literal or the script element. */
const literal = (text: string): string => JSON.stringify(text).replaceAll("<", "\\u003c");

/** Adform's manifest, required in the ZIP. */
const manifestOf = (clickUrl: string, title: string, width: number, height: number): string =>
  JSON.stringify({
    version: "1.0",
    title,
    width: String(width),
    height: String(height),
    events: { enabled: 0, list: {} },
    clicktags: { clickTAG: clickUrl },
    source: "index.html",
  });
