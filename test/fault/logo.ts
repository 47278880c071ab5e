/** A logo that renders fast. */
export const LOGO = new TextEncoder().encode(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 96"><rect width="96" height="96" fill="#0b5fff"/></svg>',
);

/** A logo of the same length that is accepted as an upload; rendering finds it empty. */
export const EMPTY_LOGO = new TextEncoder().encode(
  new TextDecoder().decode(LOGO).replace('fill="#0b5fff"', 'fill="none"   '),
);
