/**
 * The packs that are open, in columns that are used again: a run of millions takes as much memory as are open at once.
 * An item is a pack (its request and dispatch) or one of its messages; each is at a step of its own.
 */
export function packTable(workspaces: number, messagesPerPack: number) {
  const width = messagesPerPack + 1;
  let places = 1_024;
  let steps = new Int32Array(places * width);
  let workspaceOf = new Int32Array(places);
  let left = new Int32Array(places);
  let toSend = new Int32Array(places);
  let following = new Int32Array(places);
  let askedMs = new Float64Array(places);
  let answeredMs = new Float64Array(places);
  const free: number[] = [];
  let used = 0;
  /** Of each workspace: its messages in the queue and at work, and the packs whose messages are held back. */
  const inFlight = new Int32Array(workspaces);
  const firstHeld = new Int32Array(workspaces).fill(-1);
  const lastHeld = new Int32Array(workspaces).fill(-1);

  const grow = (): void => {
    places *= 2;
    steps = grown(steps, places * width);
    workspaceOf = grown(workspaceOf, places);
    left = grown(left, places);
    toSend = grown(toSend, places);
    following = grown(following, places);
    askedMs = grown(askedMs, places);
    answeredMs = grown(answeredMs, places);
  };
  const packOf = (item: number): number => Math.floor(item / width);
  const workspace = (item: number): number => workspaceOf[packOf(item)] ?? 0;

  return {
    /** Returns the pack's item. */
    open: (of: number, nowMs: number): number => {
      const pack = free.pop() ?? used++;
      if (pack >= places) grow();
      workspaceOf[pack] = of;
      askedMs[pack] = nowMs;
      answeredMs[pack] = nowMs;
      left[pack] = messagesPerPack;
      return pack * width;
    },
    close: (item: number): void => {
      free.push(packOf(item));
    },
    answer: (item: number, nowMs: number): void => {
      answeredMs[packOf(item)] = nowMs;
    },
    workspaceOf: workspace,
    askedMs: (item: number): number => askedMs[packOf(item)] ?? 0,
    answeredMs: (item: number): number => answeredMs[packOf(item)] ?? 0,
    stepOf: (item: number): number => steps[item] ?? 0,
    nextStep: (item: number): void => {
      steps[item] = (steps[item] ?? 0) + 1;
    },
    restart: (item: number): void => {
      steps[item] = 0;
    },
    /** Which of its pack's messages an item is. */
    messageOf: (item: number): number => (item % width) - 1,
    inFlight: (of: number): number => inFlight[of] ?? 0,
    /** Puts all messages of a pack last among those that its workspace holds back. */
    hold: (item: number): void => {
      const pack = packOf(item);
      const of = workspace(item);
      toSend[pack] = messagesPerPack;
      following[pack] = -1;
      const last = lastHeld[of] ?? -1;
      if (last === -1) firstHeld[of] = pack;
      else following[last] = pack;
      lastHeld[of] = pack;
    },
    /** The item of the next message that a workspace holds back, or -1; it is in flight from now on. */
    takeHeld: (of: number): number => {
      const pack = firstHeld[of] ?? -1;
      if (pack === -1) return -1;
      const rest = (toSend[pack] ?? 0) - 1;
      toSend[pack] = rest;
      inFlight[of] = (inFlight[of] ?? 0) + 1;
      if (rest === 0) {
        firstHeld[of] = following[pack] ?? -1;
        if (firstHeld[of] === -1) lastHeld[of] = -1;
      }
      return pack * width + messagesPerPack - rest;
    },
    /** Whether a message is the only one of its pack that has not ended. */
    isLast: (item: number): boolean => left[packOf(item)] === 1,
    /** Ends a message; true when it was its pack's last. */
    endMessage: (item: number): boolean => {
      const pack = packOf(item);
      const of = workspace(item);
      inFlight[of] = (inFlight[of] ?? 0) - 1;
      left[pack] = (left[pack] ?? 0) - 1;
      return left[pack] === 0;
    },
  };
}

function grown<Column extends Int32Array | Float64Array>(column: Column, places: number): Column;
function grown(column: Int32Array | Float64Array, places: number): Int32Array | Float64Array {
  const larger = column instanceof Int32Array ? new Int32Array(places) : new Float64Array(places);
  larger.set(column);
  return larger;
}
