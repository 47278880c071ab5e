/** Whether an SVG has text elements outside of comments. Linear in its length, also where no comment ends. */
export const hasLiveText = (bytes: Uint8Array): boolean =>
  new TextDecoder()
    .decode(bytes)
    .split("-->")
    .some((part) => /<(?:[\w-]{1,99}:)?text[\s>]/.test(part.split("<!--", 1)[0] ?? ""));
