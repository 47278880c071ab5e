import { useQuery } from "@tanstack/react-query";
import type { Artifact, Share } from "creative-packs";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { latestVerdict, type Reviewer, threadsOf, useReviewFiles, verdictOn } from "#share/review.ts";
import { ReviewDialog } from "#share/review-dialog.tsx";
import { Threads } from "#share/threads.tsx";
import { Badge } from "#ui/badge.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";
import { FilePicture } from "./file-picture.tsx";
import { isAnimated } from "./pack-files.ts";
import { sharesQuery } from "./pack-queries.ts";

/** Verdicts, pins and comments from a pack's share links; members answer and resolve them here. */
export function PackReviews({ pack }: { readonly pack: Artifact }) {
  const workspaceId = useWorkspaceId();
  const { data: shares, error } = useQuery(sharesQuery(workspaceId, pack.artifactId));
  const spoken = shares?.filter(({ commentCount }) => commentCount > 0) ?? [];
  return (
    <>
      <ErrorNote error={error} />
      {spoken.map((share) => (
        <ShareReview key={share.shareId} pack={pack} share={share} />
      ))}
    </>
  );
}

function ShareReview({ pack, share }: { readonly pack: Artifact; readonly share: Share }) {
  const { t } = useTranslation("share");
  const workspaceId = useWorkspaceId();
  const [openId, setOpenId] = useState<string | null>(null);
  const files = useReviewFiles(pack.files.filter((file) => !isAnimated(file)));
  const { artifactId } = pack;
  const { shareId } = share;
  const { shares } = clientOf(workspaceId);
  const { queryKey } = sharesQuery(workspaceId, artifactId);
  const { data, error } = useQuery({
    queryKey: [...queryKey, shareId],
    queryFn: ({ signal }) => shares.comments(artifactId, shareId, { signal }),
  });
  if (data === undefined) return <ErrorNote error={error} />;
  const refresh = () => queryClient.invalidateQueries({ queryKey });
  const reviewer: Reviewer = {
    ...{ visitor: null, say: null },
    reply: async (_, text, replyTo) => {
      await shares.reply(artifactId, shareId, { text, replyTo });
      await refresh();
    },
    mayResolve: () => true,
    resolve: async ({ commentId, resolvedAt }) => {
      await shares.resolve({ artifactId, shareId, commentId }, resolvedAt === null);
      await refresh();
    },
  };
  const threads = threadsOf(data.items);
  const latest = latestVerdict(data.items);
  const changed = files.filter(({ fileId }) => verdictOn(latest, fileId) === "changes-requested");
  return (
    <section className="flex flex-col gap-4 rounded-xl border border-line bg-card p-5">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="text-base font-semibold">{share.name || t("untitled")}</h2>
        {latest !== null && latest.verdict !== null && (
          <>
            <Badge tone={latest.verdict === "approved" ? "good" : "warning"}>
              {t(`verdict.${latest.verdict}`)}
            </Badge>
            <span className="text-xs text-quiet">
              {t("given.by", { name: latest.name })} <Moment at={latest.createdAt} />
            </span>
          </>
        )}
      </div>
      {changed.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {changed.map(({ fileId, name }) => (
            <li key={fileId}>
              <Badge tone="warning">{name}</Badge>
            </li>
          ))}
        </ul>
      )}
      <div className="-mt-2 -mb-3.5 lg:*:grid lg:*:grid-cols-2 lg:*:gap-x-10 lg:*:divide-y-0">
        <Threads
          threads={threads}
          reviewer={reviewer}
          names={new Map(files.map(({ fileId, name }) => [fileId, name]))}
          onOpen={setOpenId}
        />
      </div>
      {openId !== null && (
        <ReviewDialog
          files={files}
          fileId={openId}
          onShow={setOpenId}
          onClose={() => setOpenId(null)}
          picture={(file) => (
            <FilePicture
              key={file.fileId}
              artifactId={artifactId}
              file={file}
              alt={file.name}
              isPlaying={false}
            />
          )}
          threads={threads}
          reviewer={reviewer}
        />
      )}
    </section>
  );
}
