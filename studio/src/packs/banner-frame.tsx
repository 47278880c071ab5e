import { strFromU8, unzipSync } from "fflate";
import { useRef, useState } from "react";
import { uint8ArrayToBase64 } from "uint8array-extras";

/** Serves an empty page with a policy of its own, in which the banner's inline styles and scripts run (`studio/public/banner.html`). */
const PAGE = "/banner";

interface BannerFrameProps {
  readonly zip: Blob;
  /** In pixels of the banner. */
  readonly width: number;
  readonly height: number;
  readonly title: string;
}

/** Runs an HTML5 banner at its own size or in what its place has room for, without access to this page, its origin or the network. */
export function BannerFrame({ zip, width, height, title }: BannerFrameProps) {
  const [scale, setScale] = useState(1);
  const measure = (place: HTMLDivElement | null): void => {
    if (place !== null) setScale(Math.min(1, place.clientWidth / width));
  };
  const frame = useRef<HTMLIFrameElement>(null);
  const write = async (): Promise<void> => {
    const html = pageOf(new Uint8Array(await zip.arrayBuffer()));
    // The frame has no origin that could be named.
    frame.current?.contentWindow?.postMessage(html, "*");
  };
  return (
    <div ref={measure} className="w-full overflow-hidden" style={{ height: height * scale }}>
      <iframe
        ref={frame}
        src={PAGE}
        title={title}
        sandbox="allow-scripts"
        onLoad={() => void write()}
        {...{ width, height }}
        className="block max-w-none origin-top-left border-0"
        style={{ transform: `scale(${scale})` }}
      />
    </div>
  );
}

const TYPES: Readonly<Record<string, string>> = { png: "image/png", jpg: "image/jpeg", svg: "image/svg+xml" };

/** The banner's page with its pictures inside. */
function pageOf(zip: Uint8Array): string {
  const { "index.html": page = new Uint8Array(), ...files } = unzipSync(zip);
  return Object.entries(files).reduce((html, [name, bytes]) => {
    const type = TYPES[name.split(".").at(-1) ?? ""];
    return type === undefined
      ? html
      : html.replaceAll(`"${name}"`, `"data:${type};base64,${uint8ArrayToBase64(bytes)}"`);
  }, strFromU8(page));
}
