import type { ReactNode } from "react";
import type { SizeInfo } from "#ui/size-tiles.tsx";

/** Context of a size: a feed, a full screen, or a page beside an article. */
type Setting = "feed" | "story" | "page";

const DISPLAY_GROUPS = ["iab", "gads", "amazon"];
/** Up to this ratio of width to height, a picture is shown as a full-screen story. */
const STORY_ASPECT_MAX = 0.6;

export function settingOf({ group, width, height }: SizeInfo): Setting {
  if (DISPLAY_GROUPS.includes(group)) return "page";
  return width / height <= STORY_ASPECT_MAX ? "story" : "feed";
}

/** Position of a banner on a page, relative to the text. */
function bannerPositionOf({ width, height }: SizeInfo): "above" | "beside" | "within" {
  if (width / height >= 2.5) return "above";
  return height / width >= 1.5 ? "beside" : "within";
}

interface MockupProps {
  readonly size: SizeInfo;
  readonly children: ReactNode;
}

/**
 * Shows a size in context, without a network's branding. Bars stand for text; everything around the picture is
 * decoration.
 */
export function NetworkMockup({ size, children }: MockupProps) {
  const setting = settingOf(size);
  if (setting === "feed") return <Feed>{children}</Feed>;
  if (setting === "story") return <Story>{children}</Story>;
  return <ArticlePage size={size}>{children}</ArticlePage>;
}

const Bar = ({ of: size }: { readonly of: string }) => (
  <span className={`block rounded-full bg-line ${size}`} />
);

const Lines = () => (
  <span aria-hidden="true" className="flex flex-col gap-2">
    {["w-full", "w-11/12", "w-full", "w-3/5"].map((width, at) => (
      <Bar key={`${at} ${width}`} of={`h-2 ${width}`} />
    ))}
  </span>
);

const Feed = ({ children }: Pick<MockupProps, "children">) => (
  <div className="mx-auto w-full max-w-md rounded-lg border border-line bg-card">
    <div aria-hidden="true" className="flex items-center gap-2.5 p-3">
      <Bar of="size-9" />
      <span className="flex flex-1 flex-col gap-2">
        <Bar of="h-2 w-2/5" />
        <Bar of="h-2 w-1/4" />
      </span>
    </div>
    {children}
    <div aria-hidden="true" className="flex gap-4 p-3">
      <Bar of="h-2 w-10" />
      <Bar of="h-2 w-14" />
      <Bar of="h-2 w-10" />
    </div>
  </div>
);

/** Phone controls over the picture: progress and name above, reply below. */
const Story = ({ children }: Pick<MockupProps, "children">) => (
  <div className="relative mx-auto w-full max-w-[19rem] overflow-hidden rounded-3xl border-8 border-black">
    {children}
    <div aria-hidden="true" className="absolute inset-0 flex flex-col p-3 *:opacity-80">
      <span className="h-0.5 rounded bg-white" />
      <span className="mt-2.5 flex items-center gap-2">
        <span className="size-7 rounded-full border border-white bg-black" />
        <span className="h-2 w-24 rounded-full bg-white" />
      </span>
      <span className="mt-auto h-9 rounded-full border border-white" />
    </div>
  </div>
);

/** A page with the banner above, beside or within its text, at its true size if it fits. */
function ArticlePage({ size, children }: MockupProps) {
  const position = bannerPositionOf(size);
  const banner = (
    <div className="mx-auto max-w-full shrink-0" style={{ width: size.width }}>
      {children}
    </div>
  );
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-5 rounded-lg border border-line bg-card p-5">
      <div aria-hidden="true" className="flex justify-between border-b border-line pb-3">
        <Bar of="h-2 w-28" />
        <Bar of="h-2 w-40" />
      </div>
      {position === "above" && banner}
      <div className="flex flex-wrap items-start gap-6 sm:flex-nowrap">
        <div className="flex min-w-0 flex-1 basis-60 flex-col gap-6">
          <span aria-hidden="true" className="block h-5 w-4/5 rounded bg-strong-line opacity-60" />
          <Lines />
          <Lines />
          <Lines />
        </div>
        {position !== "above" && banner}
      </div>
    </div>
  );
}
