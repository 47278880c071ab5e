import { useQuery } from "@tanstack/react-query";
import type { ArtifactFile } from "creative-packs";
import { strFromU8, unzipSync } from "fflate";
import { useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { uint8ArrayToBase64 } from "uint8array-extras";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { useBlobUrl } from "#ui/use-blob-url.ts";
import { FilePicture } from "./file-picture.tsx";
import { fileQuery } from "./pack-queries.ts";

interface AnimatedFileProps {
  readonly artifactId: string;
  readonly file: ArtifactFile;
  /** The still that is shown until the file plays. */
  readonly backup: ArtifactFile | null;
  readonly alt: string;
}

const useFile = (artifactId: string, file: ArtifactFile | null): Blob | null => {
  const query = fileQuery(useWorkspaceId(), artifactId, file?.fileId ?? "");
  return useQuery({ ...query, enabled: file !== null }).data ?? null;
};

/** A video with the browser's controls. */
export function PackVideo({ artifactId, file, backup, alt }: AnimatedFileProps) {
  const address = useBlobUrl(useFile(artifactId, file));
  const poster = useBlobUrl(useFile(artifactId, backup));
  const { width, height } = file;
  return (
    <video
      controls
      playsInline
      muted
      aria-label={alt}
      {...{ width, height }}
      {...(address !== null && { src: address })}
      {...(poster !== null && { poster })}
      className="block h-auto w-full bg-sunk"
    />
  );
}

/** Shows the still of an HTML5 banner and, on request, the banner itself. */
export function PackBanner({ artifactId, file, backup, alt }: AnimatedFileProps) {
  const { t } = useTranslation("packs");
  const [plays, setPlays] = useState(0);
  const zip = useFile(artifactId, file);
  return (
    <div className="flex flex-col items-start gap-3">
      {plays > 0 && zip !== null ? (
        <BannerFrame key={plays} zip={zip} width={file.width} height={file.height} title={alt} />
      ) : (
        backup !== null && <FilePicture artifactId={artifactId} file={backup} alt={alt} isPlaying />
      )}
      <Button disabled={zip === null} onClick={() => setPlays(plays + 1)}>
        {t(plays === 0 ? "pack.playBanner" : "pack.playAgain")}
      </Button>
    </div>
  );
}

/**
 * An empty page whose content security policy allows the banner's inline styles and scripts
 * (`studio/public/banner.html`).
 */
const PAGE = "/banner";

interface BannerFrameProps {
  readonly zip: Blob;
  /** Size of the banner in CSS px. */
  readonly width: number;
  readonly height: number;
  readonly title: string;
}

/** Runs an HTML5 banner at its own size, or scaled to fit, without access to this page, its origin or the network. */
function BannerFrame({ zip, width, height, title }: BannerFrameProps) {
  const [scale, setScale] = useState(1);
  // Measure once. Otherwise a scrollbar that appears and disappears with the banner's height could change the scale
  // endlessly.
  const measure = useCallback(
    (place: HTMLDivElement | null): void => {
      if (place !== null) setScale(Math.min(1, place.clientWidth / width));
    },
    [width],
  );
  const frame = useRef<HTMLIFrameElement>(null);
  const write = async (): Promise<void> => {
    const html = pageOf(new Uint8Array(await zip.arrayBuffer()));
    // The target must be `*`, because the frame has an opaque origin.
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

/** The banner's HTML with its pictures inlined. */
function pageOf(zip: Uint8Array): string {
  const { "index.html": page = new Uint8Array(), ...files } = unzipSync(zip);
  return Object.entries(files).reduce((html, [name, bytes]) => {
    const type = TYPES[name.split(".").at(-1) ?? ""];
    return type === undefined
      ? html
      : html.replaceAll(`"${name}"`, `"data:${type};base64,${uint8ArrayToBase64(bytes)}"`);
  }, strFromU8(page));
}
