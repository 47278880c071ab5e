import { unzipSync } from "fflate";

/**
 * Google's published checks of HTML5 banners for its ad servers, with the names of the HTML5 Validator's checks
 * (h5validator.appspot.com/dcm/asset). Each returns the violations.
 */
interface BannerCheck {
  readonly source: string;
  find(banner: Banner): readonly string[];
}

interface Banner {
  readonly zipBytes: number;
  readonly names: readonly string[];
  /** The top-level HTML; empty if missing. */
  readonly html: string;
  /** Text of every HTML, SVG, CSS and script. */
  readonly text: string;
  /** Files and URLs that the HTML loads or links to. */
  readonly references: readonly string[];
}

const ADS = "https://support.google.com/adwords/answer/1722096";
const ADS_API =
  "https://developers.google.com/google-ads/api/reference/rpc/v24/MediaBundleErrorEnum.MediaBundleError";
const AD_MANAGER = "https://support.google.com/admanager/answer/7046799";
const AD_MANAGER_SVG = "https://support.google.com/admanager/answer/7042363";
const CM360 = "https://support.google.com/campaignmanager/answer/3145300";
const CM360_SIZE = "https://support.google.com/campaignmanager/answer/4558694";
const DV360 = "https://support.google.com/displayvideo/answer/10261241";
const WEB_DESIGNER = "https://support.google.com/webdesigner/answer/7375764";
const H5_VALIDATOR = "https://h5validator.appspot.com/dcm/asset";

const FILES_MAX = 40;
const ZIP_BYTES_MAX = 9_500_000;
const TYPES = /\.(html?|css|js|jpe?g|gif|png|svg)$/i;
const CLICK_TAG = /<script type="text\/javascript">var clickTag = "([^"]*)";<\/script>/;
const isAddress = (reference: string): boolean => /^([a-z]+:)?\/\//i.test(reference);
const unless = (isMet: boolean, breach: string): readonly string[] => (isMet ? [] : [breach]);
const found = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([part]) => part);

export const BANNER_CHECKS = {
  "Primary Creative Asset": {
    source: H5_VALIDATOR,
    find: ({ names }) =>
      unless(names.filter((name) => /\.html?$/i.test(name)).join() === "index.html", "not index.html"),
  },
  "Document tags": {
    source: WEB_DESIGNER,
    find: ({ html }) =>
      unless(
        /^<!doctype html>\s*<html[^>]*>\s*<head>[\s\S]*<\/head>\s*<body>[\s\S]*<\/body>\s*<\/html>\s*$/i.test(
          html,
        ),
        "order",
      ),
  },
  "Size tag": {
    source: AD_MANAGER,
    find: ({ html }) =>
      unless(/<meta name="ad\.size" content="width=\d+,height=\d+">/.test(html), "no ad.size"),
  },
  "Missing click tag": {
    source: CM360,
    find: ({ html }) => unless(CLICK_TAG.test(html), "no clickTag in the top HTML"),
  },
  "Invalid click tag": {
    source: DV360,
    find: ({ html }) => {
      const target = CLICK_TAG.exec(html)?.[1] ?? "https:";
      return unless(/^https:|^[%$]/.test(target) && html.includes("window.open(clickTag)"), target);
    },
  },
  "Hard coded click tag": {
    source: H5_VALIDATOR,
    find: ({ html }) =>
      found(html.replace(CLICK_TAG, ""), /(href=["']https?:|window\.open\(["']|location\s*=)[^\s>]*/g),
  },
  "Missing asset": {
    source: ADS_API,
    find: ({ references, names }) => references.filter((one) => !isAddress(one) && !names.includes(one)),
  },
  "Orphaned asset": {
    source: CM360,
    find: ({ references, names }) =>
      names.filter((name) => name !== "index.html" && !references.includes(name)),
  },
  "4th party calls": {
    source: ADS_API,
    find: ({ references }) => references.filter(isAddress),
  },
  "Secure URL": {
    source: AD_MANAGER,
    find: ({ text }) =>
      found(text.replaceAll('xmlns="http://www.w3.org/2000/svg"', ""), /http:\/\/[^"'\s]*/g),
  },
  "File Type": {
    source: DV360,
    find: ({ names }) => names.filter((name) => !TYPES.test(name) || /thumbs\.db|__MACOSX/i.test(name)),
  },
  "File Count": {
    source: ADS,
    find: ({ names }) => unless(names.length <= FILES_MAX, `${names.length} files`),
  },
  "ZIP size": {
    source: CM360_SIZE,
    find: ({ zipBytes }) => unless(zipBytes <= ZIP_BYTES_MAX, `${zipBytes} bytes`),
  },
  "File names": {
    source: CM360,
    find: ({ names }) => names.filter((name) => name.includes("%") || name.length > 50),
  },
  "HTML5 Not Allowed Features": {
    source: CM360,
    find: ({ text }) => found(text, /(local|session)Storage|\beval\(|<form|<iframe|document\.cookie/gi),
  },
  "Infinite animation": {
    source: WEB_DESIGNER,
    find: ({ text }) => found(text, /\binfinite\b/g),
  },
  "Inline SVG": {
    source: AD_MANAGER_SVG,
    find: ({ html }) => found(html, /<svg/gi),
  },
  "Data URL": {
    source: ADS_API,
    find: ({ text }) => found(text, /\bdata:[a-z]+\//gi),
  },
} as const satisfies Record<string, BannerCheck>;

/** A ZIP's violations, as "check: what"; empty for a valid one. */
export function validateBanner(zip: Uint8Array): readonly string[] {
  const files = unzipSync(zip);
  const decoder = new TextDecoder();
  const html = decoder.decode(files["index.html"]);
  const texts = Object.entries(files).filter(([name]) => /\.(html?|css|js|svg)$/i.test(name));
  const references = [...html.matchAll(/(?:src|href)="([^"#]*)"|url\(["']?([^"')]*)/g)].flatMap(
    ([, attribute, url]) => [attribute ?? url ?? ""].filter((one) => !one.startsWith("javascript:")),
  );
  const banner: Banner = {
    zipBytes: zip.length,
    names: Object.keys(files),
    html,
    text: texts.map(([, bytes]) => decoder.decode(bytes)).join("\n"),
    references,
  };
  return Object.entries<BannerCheck>(BANNER_CHECKS).flatMap(([name, check]) =>
    check.find(banner).map((breach) => `${name}: ${breach}`),
  );
}
