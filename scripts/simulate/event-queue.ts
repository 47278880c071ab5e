/** Events that are still to come, each a moment and a whole number that says what happens. */
export interface EventQueue {
  readonly size: () => number;
  readonly add: (atMs: number, event: number) => void;
  /** The moment of the next event; infinity when there is none. */
  readonly nextMs: () => number;
  /** Takes the next event; of events at one moment, the one that was added first. -1 when there is none. */
  readonly take: () => number;
}

const PLACES_FIRST = 1_024;

/** A binary heap over typed arrays: millions of events a second, and no garbage. */
export function eventQueue(): EventQueue {
  let size = 0;
  let added = 0;
  let moments = new Float64Array(PLACES_FIRST);
  let orders = new Float64Array(PLACES_FIRST);
  let events = new Int32Array(PLACES_FIRST);

  const grow = (): void => {
    const places = moments.length * 2;
    const [oldMoments, oldOrders, oldEvents] = [moments, orders, events];
    moments = new Float64Array(places);
    orders = new Float64Array(places);
    events = new Int32Array(places);
    moments.set(oldMoments);
    orders.set(oldOrders);
    events.set(oldEvents);
  };
  const isBefore = (moment: number, order: number, place: number): boolean => {
    const other = moments[place] ?? 0;
    return moment < other || (moment === other && order < (orders[place] ?? 0));
  };
  const put = (place: number, moment: number, order: number, event: number): void => {
    moments[place] = moment;
    orders[place] = order;
    events[place] = event;
  };
  const move = (from: number, to: number): void =>
    put(to, moments[from] ?? 0, orders[from] ?? 0, events[from] ?? 0);

  return {
    size: () => size,
    nextMs: () => (size === 0 ? Number.POSITIVE_INFINITY : (moments[0] ?? 0)),
    add: (atMs, event) => {
      if (size === moments.length) grow();
      const order = added;
      added += 1;
      let place = size;
      size += 1;
      while (place > 0) {
        const parent = (place - 1) >> 1;
        if (!isBefore(atMs, order, parent)) break;
        move(parent, place);
        place = parent;
      }
      put(place, atMs, order, event);
    },
    take: () => {
      if (size === 0) return -1;
      const first = events[0] ?? -1;
      size -= 1;
      const [moment, order, event] = [moments[size] ?? 0, orders[size] ?? 0, events[size] ?? 0];
      let place = 0;
      for (;;) {
        let child = 2 * place + 1;
        if (child >= size) break;
        const right = child + 1;
        if (right < size && isBefore(moments[right] ?? 0, orders[right] ?? 0, child)) child = right;
        if (isBefore(moment, order, child)) break;
        move(child, place);
        place = child;
      }
      put(place, moment, order, event);
      return first;
    },
  };
}
