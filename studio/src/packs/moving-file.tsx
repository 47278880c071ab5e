import { useQuery } from "@tanstack/react-query";
import type { ArtifactFile } from "creative-packs";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { useBlobUrl } from "#ui/use-blob-url.ts";
import { BannerFrame } from "./banner-frame.tsx";
import { FilePicture } from "./file-picture.tsx";
import { fileQuery } from "./pack-queries.ts";

interface MovingFileProps {
  readonly artifactId: string;
  readonly file: ArtifactFile;
  /** The still beside it, which shows until it plays. */
  readonly backup: ArtifactFile | null;
  readonly alt: string;
}

const useFile = (artifactId: string, file: ArtifactFile | null): Blob | null => {
  const query = fileQuery(useWorkspaceId(), artifactId, file?.fileId ?? "");
  return useQuery({ ...query, enabled: file !== null }).data ?? null;
};

/** A video with the browser's own controls. */
export function PackVideo({ artifactId, file, backup, alt }: MovingFileProps) {
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

/** An HTML5 banner: its still, and on request the banner itself. */
export function PackBanner({ artifactId, file, backup, alt }: MovingFileProps) {
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
