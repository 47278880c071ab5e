/** Whether an SVG has text elements outside comments. Linear time, even for unclosed comments. */
export const hasLiveText = (bytes: Uint8Array): boolean =>
  new TextDecoder()
    .decode(bytes)
    .split("-->")
    .some((part) => /<(?:[\w-]{1,99}:)?text[\s>]/.test(part.split("<!--", 1)[0] ?? ""));
