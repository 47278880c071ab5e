import { LIMITS } from "#api/limits.ts";

/** Ends an import attempt whose server is too slow, so that a silent server does not occupy a queue consumer. */
export interface ImportPace {
  /**
   * Aborted when the first byte is late, too few bytes arrive in a later time window, or the request takes too long.
   */
  readonly signal: AbortSignal;
  readonly received: (byteLength: number) => void;
  readonly stop: () => void;
}

/** Starts the timers of an attempt. Redirects count towards the time to the first byte. */
export function startPace(): ImportPace {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let bytes = 0;
  let bytesMin = 1;
  const windows = setInterval(() => {
    if (bytes < bytesMin) abort();
    bytes = 0;
    bytesMin = LIMITS.importBytesPerWindowMin;
  }, LIMITS.importWindowMs);
  const whole = setTimeout(abort, LIMITS.importTimeoutMs);
  return {
    signal: controller.signal,
    received: (byteLength) => {
      bytes += byteLength;
    },
    stop: () => {
      clearInterval(windows);
      clearTimeout(whole);
    },
  };
}
