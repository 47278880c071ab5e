/** A logo that is drawn in moments. */
export const LOGO = new TextEncoder().encode(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 96"><rect width="96" height="96" fill="#0b5fff"/></svg>',
);

/** As long as the logo, and taken as one: that it shows nothing is found when it is drawn. */
export const EMPTY_LOGO = new TextEncoder().encode(
  new TextDecoder().decode(LOGO).replace('fill="#0b5fff"', 'fill="none"   '),
);
