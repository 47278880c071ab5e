import type { ReactNode } from "react";
import type { SizeInfo } from "#ui/size-tiles.tsx";

/** Where people meet a size: in a feed, over the whole screen, or on a page beside what they read. */
type Setting = "feed" | "story" | "page";

const DISPLAY_GROUPS = ["iab", "gads", "amazon"];
/** A picture this much higher than wide fills a phone. */
const STORY_ASPECT_MAX = 0.6;

export function settingOf({ group, width, height }: SizeInfo): Setting {
  if (DISPLAY_GROUPS.includes(group)) return "page";
  return width / height <= STORY_ASPECT_MAX ? "story" : "feed";
}

/** Where a banner is on a page, relative to the text. */
function bannerPositionOf({ width, height }: SizeInfo): "above" | "beside" | "within" {
  if (width / height >= 2.5) return "above";
  return height / width >= 1.5 ? "beside" : "within";
}

interface MockupProps {
  readonly size: SizeInfo;
  readonly children: ReactNode;
}

/** A size as people meet it: bars for words, and no network's marks. All around the picture is decoration. */
export function NetworkMockup({ size, children }: MockupProps) {
  const setting = settingOf(size);
  if (setting === "feed") return <Feed>{children}</Feed>;
  if (setting === "story") return <Story>{children}</Story>;
  return <ArticlePage size={size}>{children}</ArticlePage>;
}

const Line = ({ wide }: { readonly wide: string }) => (
  <span className={`block h-2 rounded-full bg-line ${wide}`} />
);

const Lines = () => (
  <span aria-hidden="true" className="flex flex-col gap-2">
    <Line wide="w-full" />
    <Line wide="w-11/12" />
    <Line wide="w-full" />
    <Line wide="w-3/5" />
  </span>
);

function Feed({ children }: { readonly children: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-md rounded-lg border border-line bg-card">
      <div aria-hidden="true" className="flex items-center gap-2.5 p-3">
        <span className="size-9 rounded-full bg-line" />
        <span className="flex flex-1 flex-col gap-2">
          <Line wide="w-2/5" />
          <Line wide="w-1/4" />
        </span>
        <span className="text-quiet">•••</span>
      </div>
      {children}
      <div aria-hidden="true" className="flex items-center gap-4 p-3">
        <Line wide="w-10" />
        <Line wide="w-14" />
        <Line wide="w-10" />
      </div>
    </div>
  );
}

/** Over the picture: progress and name above, an answer below, as phones lay them. */
function Story({ children }: { readonly children: ReactNode }) {
  return (
    <div className="relative mx-auto w-full max-w-[19rem] overflow-hidden rounded-3xl border-8 border-black">
      {children}
      <div
        aria-hidden="true"
        className="pointer-events-none absolute inset-0 flex flex-col justify-between p-3"
      >
        <div className="flex flex-col gap-2.5">
          <div className="grid grid-cols-3 gap-1">
            <span className="h-0.5 rounded bg-white" />
            <span className="h-0.5 rounded bg-white opacity-50" />
            <span className="h-0.5 rounded bg-white opacity-50" />
          </div>
          <div className="flex items-center gap-2">
            <span className="size-7 rounded-full border border-white bg-black opacity-60" />
            <span className="h-2 w-24 rounded-full bg-white opacity-80" />
          </div>
        </div>
        <div className="flex items-center gap-2.5">
          <span className="h-9 flex-1 rounded-full border border-white opacity-80" />
          <span className="size-7 rounded-full border border-white opacity-80" />
          <span className="size-7 rounded-full border border-white opacity-80" />
        </div>
      </div>
    </div>
  );
}

/** A page with the banner above, beside or within its text, at the banner's true size where there is room. */
function ArticlePage({ size, children }: MockupProps) {
  const position = bannerPositionOf(size);
  const banner = (
    <div className="max-w-full shrink-0" style={{ width: size.width }}>
      {children}
    </div>
  );
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-5 rounded-lg border border-line bg-card p-5">
      <div aria-hidden="true" className="flex items-center justify-between border-b border-line pb-3">
        <Line wide="w-28" />
        <span className="flex w-2/5 justify-end gap-3">
          <Line wide="w-12" />
          <Line wide="w-12" />
          <Line wide="w-12" />
        </span>
      </div>
      {position === "above" && <div className="flex justify-center">{banner}</div>}
      <div className="flex flex-wrap items-start gap-6 sm:flex-nowrap">
        <div className="flex min-w-0 flex-1 basis-60 flex-col gap-6">
          <span aria-hidden="true" className="block h-5 w-4/5 rounded bg-strong-line opacity-60" />
          <Lines />
          <Lines />
          {position !== "above" && <Lines />}
          <Lines />
        </div>
        {position !== "above" && banner}
      </div>
    </div>
  );
}
