/**
 * The packs that are open, in columns that are used again: a run of millions takes as much memory as are open at once.
 * An item is a pack (its request and dispatch) or one of its messages; each is at a step of its own.
 */
export function packTable(messagesPerPack: number) {
  const width = messagesPerPack + 1;
  let places = 1_024;
  let steps = new Int32Array(places * width);
  let workspaceOf = new Int32Array(places);
  let left = new Int32Array(places);
  let askedMs = new Float64Array(places);
  let answeredMs = new Float64Array(places);
  const free: number[] = [];
  let used = 0;

  const grow = (): void => {
    places *= 2;
    steps = grown(steps, places * width);
    workspaceOf = grown(workspaceOf, places);
    left = grown(left, places);
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
    /** The item of one of a pack's messages, counted from 0. */
    messageItem: (item: number, message: number): number => item + 1 + message,
    /** The item of the pack that a message is of. */
    packItem: (item: number): number => packOf(item) * width,
    /** Whether a message is the only one of its pack that has not ended. */
    isLast: (item: number): boolean => left[packOf(item)] === 1,
    /** Ends a message; true when it was its pack's last. */
    endMessage: (item: number): boolean => {
      const pack = packOf(item);
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
