/** Version of the output bytes, part of the render fingerprint. Raise it for any change of output, however small. */
export const ENGINE_VERSION = "1.16.0";

/** Version of the processing that applies only to outputs of test keys. */
const TEST_OUTPUT_VERSION = 1;

/** The version in a job's fingerprint. It differs by mode, because the same pack has different bytes in test mode. */
export const engineOf = (livemode: boolean): string =>
  livemode ? ENGINE_VERSION : `${ENGINE_VERSION}-test.${TEST_OUTPUT_VERSION}`;
