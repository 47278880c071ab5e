import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Artifact, Job } from "creative-packs";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import { useSizeNames } from "#editor/sizes/size-names.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";
import { Card, Loading } from "#ui/page.tsx";
import { FilePicture } from "./file-picture.tsx";
import { StateBadge } from "./pack-card.tsx";
import { type PackSize, sizesOfPack, tileFileOf } from "./pack-files.ts";
import { packQuery } from "./pack-queries.ts";

interface PackVersionsProps {
  readonly pack: Artifact;
  /** Oldest first. */
  readonly versions: readonly Job[];
}

/** All versions of a pack with date and state; each can be compared with the open one. */
export function PackVersions({ pack, versions }: PackVersionsProps) {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const [compared, setCompared] = useState<string | null>(null);
  const nameOf = (artifactId: string | null): string =>
    t("versions.name", { number: versions.findIndex((one) => one.artifactId === artifactId) + 1 });
  return (
    <Card title={t("versions.title")}>
      <ol className="flex flex-col gap-1 text-sm">
        {versions.toReversed().map(({ artifactId, approval, createdAt }) => (
          <li key={artifactId} className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1">
            {artifactId === null || artifactId === pack.artifactId ? (
              <strong aria-current="true">{nameOf(artifactId)}</strong>
            ) : (
              <Link
                to="/w/$workspaceId/packs/$artifactId"
                params={{ workspaceId, artifactId }}
                className="font-medium text-accent underline underline-offset-2"
              >
                {nameOf(artifactId)}
              </Link>
            )}
            <Moment at={createdAt} />
            <StateBadge state={approval} />
            {artifactId !== pack.artifactId && (
              <Button kind="quiet" onClick={() => setCompared(artifactId)}>
                {t("versions.compare", { name: nameOf(artifactId) })}
              </Button>
            )}
          </li>
        ))}
      </ol>
      {compared !== null && (
        <Dialog title={t("versions.both")} width="full" isOpen onClose={() => setCompared(null)}>
          <SideBySide pack={pack} otherId={compared} nameOf={nameOf} />
        </Dialog>
      )}
    </Card>
  );
}

interface SideBySideProps {
  readonly pack: Artifact;
  readonly otherId: string;
  readonly nameOf: (artifactId: string) => string;
}

/** Maximum height of a picture, in percent of the window's height. */
const HEIGHT_VH = 60;

/** Two versions in columns, with the same size in each row. */
function SideBySide({ pack, otherId, nameOf }: SideBySideProps) {
  const { t } = useTranslation("packs");
  const { sizeName } = useSizeNames();
  const { data: other, error } = useQuery(packQuery(useWorkspaceId(), otherId));
  if (other === undefined) return error === null ? <Loading /> : <ErrorNote error={error} />;
  const sides = [other, pack].map((one) => ({ one, sizes: sizesOfPack(one, undefined) }));
  const sizeIds = new Set(sides.flatMap(({ sizes }) => sizes.map((size) => size.sizeId)));
  const cell = (size: PackSize | undefined, artifactId: string) => {
    if (size === undefined) return <p className="text-quiet">{t("versions.absent")}</p>;
    const { width, height } = size.file;
    const name = sizeName({ ...size, width, height });
    return (
      <figure style={{ maxWidth: `min(${width}px, ${(HEIGHT_VH * width) / height}vh)` }}>
        <FilePicture
          artifactId={artifactId}
          file={tileFileOf(size, false)}
          alt={`${nameOf(artifactId)}: ${name}`}
          isPlaying={false}
        />
        <figcaption className="mt-1 text-xs text-quiet">{name}</figcaption>
      </figure>
    );
  };
  return (
    <table className="w-full table-fixed text-left align-top text-sm [&_td]:p-2 [&_td]:align-top [&_th]:p-2">
      <thead>
        <tr>
          {sides.map(({ one }) => (
            <th key={one.artifactId} scope="col">
              {nameOf(one.artifactId)} · <Moment at={one.manifest.createdAt} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...sizeIds].map((sizeId) => (
          <tr key={sizeId} className="border-t border-line">
            {sides.map(({ one: { artifactId }, sizes }) => {
              const size = sizes.find((candidate) => candidate.sizeId === sizeId);
              return <td key={artifactId}>{cell(size, artifactId)}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
