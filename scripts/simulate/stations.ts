/** What serves in the model, and what it remembers of its work. All times are in ms. */

/** Servers that know at an arrival how long the service takes: a database's writer, a machine's thread. */
export interface Server {
  /** Serves an arrival after all that came before it; returns when it is done. Arrivals come in order of time. */
  readonly serve: (arrivalMs: number, serviceMs: number) => number;
  readonly served: () => number;
  /** Time spent serving. */
  readonly busyMs: () => number;
  /** Time that arrivals waited before they were served. */
  readonly waitedMs: () => number;
}

/** One server, first come, first served. `endOf` says when work ends that begins at a moment; without it, it takes its own time. */
export function server(
  endOf: (startMs: number, serviceMs: number) => number = (startMs, serviceMs) => startMs + serviceMs,
): Server {
  let freeAtMs = 0;
  let served = 0;
  let busyMs = 0;
  let waitedMs = 0;
  return {
    serve: (arrivalMs, serviceMs) => {
      const startMs = Math.max(arrivalMs, freeAtMs);
      freeAtMs = endOf(startMs, serviceMs);
      served += 1;
      busyMs += serviceMs;
      waitedMs += startMs - arrivalMs;
      return freeAtMs;
    },
    served: () => served,
    busyMs: () => busyMs,
    waitedMs: () => waitedMs,
  };
}

/** A line of whole numbers, first in, first out. */
export interface Line {
  readonly length: () => number;
  readonly push: (item: number) => void;
  /** -1 when nothing waits. */
  readonly shift: () => number;
}

/** A ring that doubles when it is full. */
export function line(): Line {
  let items = new Int32Array(64);
  let first = 0;
  let length = 0;
  return {
    length: () => length,
    push: (item) => {
      if (length === items.length) {
        const larger = new Int32Array(items.length * 2);
        for (let place = 0; place < length; place += 1)
          larger[place] = items[(first + place) % items.length] ?? 0;
        items = larger;
        first = 0;
      }
      items[(first + length) % items.length] = item;
      length += 1;
    },
    shift: () => {
      if (length === 0) return -1;
      const item = items[first] ?? -1;
      first = (first + 1) % items.length;
      length -= 1;
      return item;
    },
  };
}

/** Servers that learn of a service's end when it comes: a queue and its consumers. */
export interface Consumers {
  /** Starts the item, when a consumer is free, and returns it; else it waits, and -1 is returned. */
  readonly arrive: (item: number, nowMs: number) => number;
  /** Ends a service; returns the item that starts now, or -1. */
  readonly end: (nowMs: number) => number;
  readonly waiting: () => number;
  readonly busy: () => number;
  readonly figures: (nowMs: number) => ConsumersFigures;
}

export interface ConsumersFigures {
  readonly arrived: number;
  readonly ended: number;
  /** Mean number of items that waited, over time. */
  readonly waitingMean: number;
  readonly waitingMax: number;
  /** Mean number of consumers at work, over time. */
  readonly busyMean: number;
}

/** So many consumers behind one line. */
export function consumers(count: number, startMs = 0): Consumers {
  const waiting = line();
  let busy = 0;
  let arrived = 0;
  let ended = 0;
  let atMs = startMs;
  let waitingArea = 0;
  let busyArea = 0;
  let waitingMax = 0;
  const pass = (nowMs: number): void => {
    waitingArea += waiting.length() * (nowMs - atMs);
    busyArea += busy * (nowMs - atMs);
    atMs = nowMs;
  };
  return {
    arrive: (item, nowMs) => {
      pass(nowMs);
      arrived += 1;
      if (busy < count) {
        busy += 1;
        return item;
      }
      waiting.push(item);
      waitingMax = Math.max(waitingMax, waiting.length());
      return -1;
    },
    end: (nowMs) => {
      pass(nowMs);
      ended += 1;
      const next = waiting.shift();
      if (next === -1) busy -= 1;
      return next;
    },
    waiting: waiting.length,
    busy: () => busy,
    figures: (nowMs) => {
      pass(nowMs);
      const spanMs = Math.max(nowMs - startMs, Number.MIN_VALUE);
      return {
        arrived,
        ended,
        waitingMean: waitingArea / spanMs,
        waitingMax,
        busyMean: busyArea / spanMs,
      };
    },
  };
}
