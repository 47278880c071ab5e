/** The ink of text on a photo: white or dark. */
export type PhotoInk = "light" | "dark";

/**
 * `limit`: the lightness (root of relative luminance) that the photo must stay below for light ink, or above for dark
 * ink, for a contrast of 4.6:1. `scrim`: the lightness of the scrim, which has the photo's own hue.
 */
const TONES = { light: { limit: 0.42, scrim: 0.13 }, dark: { limit: 0.5, scrim: 0.9 } } as const;
/**
 * A photo with a mean lightness under `DARK_MAX` gets light ink, any other photo dark ink, unless the scrim for the
 * other ink is thinner by more than `PREFERENCE` (difference in opacity).
 */
const DARK_MAX = 0.5;
const PREFERENCE = 0.3;

/**
 * The ink for a photo whose lightness has the given range, and the opacity 0..1 of its scrim. The ink suits the photo's
 * mean lightness, unless the other ink needs a far thinner scrim.
 */
export function inkAndScrimOpacity(
  darkest: number,
  lightest: number,
  mean: number,
): { readonly ink: PhotoInk; readonly opacity: number } {
  const { light, dark } = TONES;
  const forLight = lightest <= light.limit ? 0 : (lightest - light.limit) / (lightest - light.scrim);
  const forDark = darkest >= dark.limit ? 0 : (dark.limit - darkest) / (dark.scrim - darkest);
  if (forLight === 0 && forDark === 0) {
    // Both inks are legible: take the one further from the background.
    return { ink: lightest < (light.limit + dark.limit) / 2 ? "light" : "dark", opacity: 0 };
  }
  return forLight <= forDark + (mean < DARK_MAX ? PREFERENCE : -PREFERENCE)
    ? { ink: "light", opacity: forLight }
    : { ink: "dark", opacity: forDark };
}
