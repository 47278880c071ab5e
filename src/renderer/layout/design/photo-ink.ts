/** The ink of words on a photo: white, or dark. */
export type PhotoInk = "light" | "dark";

/**
 * Lightness (root of relative luminance) that must not be passed behind light and behind dark ink for a contrast of 4.6:1,
 * and the lightness of the scrim that darkens or lightens the photo's own colour.
 */
const TONES = { light: { limit: 0.42, scrim: 0.13 }, dark: { limit: 0.5, scrim: 0.9 } } as const;
/** Light ink is preferred: it takes this much more of a scrim. */
const LIGHT_PREFERENCE = 0.04;

/** The ink that needs the thinner scrim on a photo whose pixels lie between two values of lightness, with its opacity 0..1. */
export function opacityFor(
  darkest: number,
  lightest: number,
): { readonly ink: PhotoInk; readonly opacity: number } {
  const { light, dark } = TONES;
  const forLight = lightest <= light.limit ? 0 : (lightest - light.limit) / (lightest - light.scrim);
  const forDark = darkest >= dark.limit ? 0 : (dark.limit - darkest) / (dark.scrim - darkest);
  if (forLight === 0 && forDark === 0) {
    // Both are read: the one further from what is behind it.
    return { ink: lightest < (light.limit + dark.limit) / 2 ? "light" : "dark", opacity: 0 };
  }
  return forLight <= forDark + LIGHT_PREFERENCE
    ? { ink: "light", opacity: forLight }
    : { ink: "dark", opacity: forDark };
}
