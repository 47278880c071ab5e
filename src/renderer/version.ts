/**
 * Version of everything that decides a pixel or a byte: it goes into the render fingerprint.
 * Any change of output, however small, raises it.
 */
export const ENGINE_VERSION = "1.16.0";

/** Version of what is done to the outputs of test keys after their composition, or in place of it. */
const TEST_OUTPUT_VERSION = 1;

/** What the fingerprint of a job names, of either mode: equal packs of the two have other bytes. */
export const engineOf = (livemode: boolean): string =>
  livemode ? ENGINE_VERSION : `${ENGINE_VERSION}-test.${TEST_OUTPUT_VERSION}`;
