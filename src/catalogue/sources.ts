import type { Source } from "./types.ts";

const READ_ON = "2026-11-20";

const source = (
  sourceId: string,
  title: string,
  url: string,
  confirmed = true,
  readOn = READ_ON,
): Source => ({ sourceId, title, url, readOn, confirmed });

/** Sources of the rules new in version 2 of the contracts. */
const sourceOfV2 = (sourceId: string, title: string, url: string, confirmed = false): Source =>
  source(sourceId, title, url, confirmed, "2026-11-26");

/** Sources of the rules new in version 3 of the contracts. */
const sourceOfV3 = (sourceId: string, title: string, url: string, confirmed = true): Source =>
  source(sourceId, title, url, confirmed, "2026-11-27");

/** Every source of a figure in the catalogue. */
export const SOURCES: readonly Source[] = [
  source(
    "iab-2017",
    "IAB New Standard Ad Unit Portfolio (2017)",
    "https://www.iab.com/guidelines/iab-new-ad-portfolio/",
  ),
  source(
    "google-ads-1722096",
    "Google Ads Help: uploaded display ads specifications",
    "https://support.google.com/google-ads/answer/1722096",
  ),
  source(
    "google-ads-17090561",
    "Google Ads Help: responsive display ads assets",
    "https://support.google.com/google-ads/answer/17090561",
  ),
  source(
    "google-ads-17140672",
    "Google Ads Help: Demand Gen asset specifications",
    "https://support.google.com/google-ads/answer/17140672",
  ),
  source(
    "google-studio",
    "Google Studio Help: creative policies and backup images",
    "https://support.google.com/studio/",
  ),
  source("meta-ads-guide", "Meta Ads Guide", "https://www.facebook.com/business/ads-guide"),
  source(
    "meta-ads-guide-secondary",
    "Meta Ads Guide, figure from a secondary source",
    "https://www.facebook.com/business/ads-guide",
    false,
  ),
  source(
    "meta-sharing-images",
    "Meta for Developers: images in link shares",
    "https://developers.facebook.com/docs/sharing/best-practices",
  ),
  source(
    "tiktok-pangle",
    "TikTok Business Help Center: Global App Bundle and Pangle image ad specifications",
    "https://ads.tiktok.com/help/article/image-ads-specification",
  ),
  source(
    "tiktok-in-feed-secondary",
    "TikTok in-feed safe zone, rough guide from a secondary source",
    "https://ads.tiktok.com/help/",
    false,
  ),
  source(
    "linkedin-a426534",
    "LinkedIn Help: single image ads specifications",
    "https://www.linkedin.com/help/lms/answer/a426534",
  ),
  source(
    "x-creative-specifications",
    "X Business: creative ads specifications",
    "https://business.x.com/en/help/campaign-setup/creative-ad-specifications",
  ),
  source(
    "x-secondary",
    "X ads sizes from a secondary source",
    "https://business.x.com/en/help/campaign-setup/creative-ad-specifications",
    false,
  ),
  source(
    "pinterest-product-specs",
    "Pinterest Business: ad product specifications",
    "https://help.pinterest.com/en/business/article/pinterest-product-specs",
  ),
  source(
    "youtube-thumbnails-set",
    "YouTube Data API v3: thumbnails.set",
    "https://developers.google.com/youtube/v3/docs/thumbnails/set",
  ),
  source(
    "youtube-channel-banners",
    "YouTube Data API v3: channelBanners.insert",
    "https://developers.google.com/youtube/v3/docs/channelBanners/insert",
  ),
  source(
    "youtube-banner-secondary",
    "YouTube channel banner safe area from a secondary source",
    "https://developers.google.com/youtube/v3/docs/channelBanners/insert",
    false,
  ),
  source(
    "amazon-ecommerce-creative",
    "Amazon Ads: e-commerce creative specifications",
    "https://advertising.amazon.com/resources/ad-specs/ecommerce",
  ),
  source(
    "amazon-animation",
    "Amazon Ads creative acceptance policies: animation and video",
    "https://advertising.amazon.com/resources/ad-policy/creative-acceptance/animation-video",
  ),
  sourceOfV2(
    "dv360-3017252",
    "Display & Video 360 Help: image creatives of up to twice their size in pixels",
    "https://support.google.com/displayvideo/answer/3017252",
    true,
  ),
  sourceOfV2(
    "amazon-dsp-secondary",
    "Amazon DSP image sizes at twice their pixels, from a secondary source",
    "https://advertising.amazon.com/resources/ad-specs",
  ),
  sourceOfV2(
    "google-vertical-secondary",
    "Safe area of YouTube's vertical ads, which Demand Gen images share, from a secondary source",
    "https://shotstack.io/learn/vertical-video-safe-zones/",
  ),
  sourceOfV2(
    "tiktok-template-secondary",
    "TikTok in-feed safe zone templates, figures from secondary sources",
    "https://shotstack.io/learn/vertical-video-safe-zones/",
  ),
  sourceOfV2(
    "snapchat-secondary",
    "Snap Ads creative specifications, from a secondary source",
    "https://www.ntooitive.com/knowledgebase/social/snapchat/",
  ),
  sourceOfV2(
    "pinterest-pin-specs",
    "Pinterest Help: image Pin specifications with their safe zones",
    "https://help.pinterest.com/en-gb/article/review-pin-specs",
    true,
  ),
  sourceOfV2(
    "pinterest-vertical-secondary",
    "Size of Pinterest's vertical image Pins from a secondary source",
    "https://imageforpost.com/guides/pinterest-image-sizes-dimensions-guide-2026",
  ),
  source(
    "house-safe-default",
    "Creative Packs: the limits that satisfy every display network listed here at once",
    "https://support.google.com/google-ads/answer/1722096",
  ),
  sourceOfV3(
    "house-smooth",
    "Creative Packs: frames a second of files for which no network sets a lower limit",
    "https://support.google.com/google-ads/answer/1722096",
  ),
  sourceOfV3(
    "google-ads-html5-secondary",
    "Google Ads: size of uploaded HTML5 banners from a secondary source",
    "https://searchkings.com/display-ad-specs",
    false,
  ),
  sourceOfV3(
    "meta-video-secondary",
    "Meta feed and story video ads from a secondary source",
    "https://help.fastory.io",
    false,
  ),
  sourceOfV3(
    "meta-reels-api",
    "Meta for Developers: publishing reels",
    "https://developers.facebook.com/docs/video-api/guides/reels-publishing/",
  ),
  sourceOfV3(
    "tiktok-in-feed",
    "TikTok: auction in-feed ads, video specifications",
    "https://ads.tiktok.com/help/article/video-ads-specifications",
  ),
  sourceOfV3(
    "linkedin-video",
    "LinkedIn: video ads specifications (a424737)",
    "https://www.linkedin.com/help/lms/answer/a424737",
    false,
  ),
  sourceOfV3(
    "youtube-shorts",
    "YouTube Help: three-minute Shorts",
    "https://support.google.com/youtube/answer/15424877",
    false,
  ),
];
