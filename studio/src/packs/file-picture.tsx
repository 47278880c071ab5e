import { useQuery } from "@tanstack/react-query";
import type { ArtifactFile } from "creative-packs";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useWorkspaceId } from "#app/workspace.ts";
import { useBlobUrl } from "#ui/use-blob-url.ts";
import { fileQuery } from "./pack-queries.ts";

interface FilePictureProps {
  readonly artifactId: string;
  readonly file: Pick<ArtifactFile, "fileId" | "width" | "height" | "contentType">;
  readonly alt: string;
  /** Whether an animation plays; otherwise its first frame is shown. No effect on stills. */
  readonly isPlaying: boolean;
  /** `width`: fills the available width, with the final height even while loading. `contain`: as large as fits. */
  readonly fit?: "width" | "contain";
}

/** A file is fetched at this distance from the visible part of the page, because a pack may have many. */
const NEAR_PX = 400;

/** A file of a pack; a loading frame until it is shown. */
export function FilePicture({ artifactId, file, alt, isPlaying, fit = "width" }: FilePictureProps) {
  const { fileId, width, height } = file;
  const frame = useRef<HTMLSpanElement>(null);
  const isNear = useIsNear(frame);
  const workspaceId = useWorkspaceId();
  const { data, isError } = useQuery({ ...fileQuery(workspaceId, artifactId, fileId), enabled: isNear });
  const [shown, setShown] = useState<Blob | null>(null);
  const isComing = isNear && !isError && (data === undefined || shown !== data);
  const show = useCallback(() => setShown(data ?? null), [data]);
  const isContained = fit === "contain";
  const look = isContained ? "size-full object-contain" : "size-full";
  return (
    <span
      ref={frame}
      aria-busy={isComing || undefined}
      className={`${isContained ? "flex size-full" : "block w-full overflow-hidden bg-sunk"} ${isComing ? "animate-pulse" : ""}`}
      style={isContained ? {} : { aspectRatio: `${width} / ${height}` }}
    >
      {data !== undefined &&
        (isPlaying ? (
          <MovingPicture
            {...{ blob: data, alt, look, width, height }}
            isVideo={file.contentType === "video/mp4"}
            onShown={show}
          />
        ) : (
          <StillPicture blob={data} alt={alt} look={look} onShown={show} />
        ))}
    </span>
  );
}

interface PictureProps {
  readonly blob: Blob;
  readonly alt: string;
  readonly look: string;
  /** Called once the picture is shown. */
  readonly onShown: () => void;
}

/** A picture whose animation the browser plays. */
function MovingPicture({
  blob,
  alt,
  look,
  width,
  height,
  isVideo,
  onShown,
}: PictureProps & { readonly width: number; readonly height: number; readonly isVideo: boolean }) {
  const src = useBlobUrl(blob);
  if (src === null) return null;
  const shown = { src, width, height, className: look };
  return isVideo ? (
    <video {...shown} aria-label={alt} muted autoPlay loop playsInline onLoadedData={onShown} />
  ) : (
    <img {...shown} alt={alt} onLoad={onShown} />
  );
}

/** The first frame of a picture. */
function StillPicture({ blob, alt, look, onShown }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isShown = true;
    void createImageBitmap(blob).then((bitmap) => {
      const place = canvas.current;
      if (isShown && place !== null) {
        place.width = bitmap.width;
        place.height = bitmap.height;
        place.getContext("2d")?.drawImage(bitmap, 0, 0);
        onShown();
      }
      bitmap.close();
    });
    return () => {
      isShown = false;
    };
  }, [blob, onShown]);
  return <canvas ref={canvas} role="img" aria-label={alt} aria-hidden={alt === ""} className={look} />;
}

/** Whether the element has been near the window. */
function useIsNear(element: RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsNear(true);
      },
      { rootMargin: `${NEAR_PX}px` },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}
