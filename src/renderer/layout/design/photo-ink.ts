/** The ink of words on a photo: white, or dark. */
export type PhotoInk = "light" | "dark";

/**
 * Lightness (root of relative luminance) that must not be passed behind light and behind dark ink for a contrast of 4.6:1,
 * and the lightness of the scrim that darkens or lightens the photo's own colour.
 */
const TONES = { light: { limit: 0.42, scrim: 0.13 }, dark: { limit: 0.5, scrim: 0.9 } } as const;
/** A photo of a mean lightness under this is dark to the eye: light ink on it may take this much more of a scrim than dark ink. */
const DARK_MAX = 0.5;
const PREFERENCE = 0.3;

/**
 * The ink for a photo whose pixels lie between two values of lightness, with the opacity 0..1 of the scrim that it needs: the
 * one that suits the photo's mean lightness, unless the other needs far less.
 */
export function opacityFor(
  darkest: number,
  lightest: number,
  mean: number,
): { readonly ink: PhotoInk; readonly opacity: number } {
  const { light, dark } = TONES;
  const forLight = lightest <= light.limit ? 0 : (lightest - light.limit) / (lightest - light.scrim);
  const forDark = darkest >= dark.limit ? 0 : (dark.limit - darkest) / (dark.scrim - darkest);
  if (forLight === 0 && forDark === 0) {
    // Both are read: the one further from what is behind it.
    return { ink: lightest < (light.limit + dark.limit) / 2 ? "light" : "dark", opacity: 0 };
  }
  return forLight <= forDark + (mean < DARK_MAX ? PREFERENCE : -PREFERENCE)
    ? { ink: "light", opacity: forLight }
    : { ink: "dark", opacity: forDark };
}
