import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ApiError } from "creative-packs";
import { useTranslation } from "react-i18next";
import { useSizeNames } from "#editor/sizes/size-names.ts";
import { networkOfId } from "#packs/pack-files.ts";
import { Badge } from "#ui/badge.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";
import { Loading, Mark } from "#ui/page.tsx";
import { CommentForm, CommentList } from "./comment-form.tsx";
import { sharedPackQuery } from "./shared-pack-query.ts";

/** For a link that was revoked, has ended or was not copied whole; for a pack that is gone. */
const GONE = [403, 404];

/** What somebody with a link, and no account, sees of a pack: its pictures with a watermark, and a place to answer. */
export function SharePage() {
  const { t } = useTranslation("share");
  const { t: common } = useTranslation();
  const { sizeName } = useSizeNames();
  const { token } = useParams({ from: "/review/$token" });
  const { data: pack, error, isPending } = useQuery(sharedPackQuery(token));
  if (isPending) return <Loading />;
  if (pack === undefined) {
    const isGone = error instanceof ApiError && GONE.includes(error.status);
    return (
      <main className="mx-auto flex max-w-lg flex-col gap-4 px-6 py-20">
        <title>{`${t("gone.title")} · ${common("name")}`}</title>
        <h1 className="text-2xl font-semibold tracking-tight">{t(isGone ? "gone.title" : "failed")}</h1>
        {isGone ? <p className="text-quiet">{t("gone.text")}</p> : <ErrorNote error={error} />}
      </main>
    );
  }
  const files = pack.files.map((file) => ({
    ...file,
    name: sizeName({ group: networkOfId(file.sizeId), width: file.width, height: file.height }),
  }));
  const names = new Map(files.map(({ fileId, name }) => [fileId, name]));
  return (
    <main className="mx-auto flex max-w-6xl flex-col gap-8 px-4 py-8 sm:px-8">
      <title>{`${pack.name} · ${common("name")}`}</title>
      <header className="flex flex-col gap-1">
        <p className="mb-4 flex items-center gap-2 font-semibold tracking-tight">
          <Mark />
          {common("name")}
        </p>
        <h1 className="flex flex-wrap items-center gap-3 text-2xl font-semibold tracking-tight">
          {pack.name}
          {pack.verdict !== null && (
            <Badge tone={pack.verdict === "approved" ? "good" : "warning"}>
              {t(`verdict.${pack.verdict}`)}
            </Badge>
          )}
        </h1>
        <p className="text-sm text-quiet">
          {t("lead")} {t("until")} <Moment at={pack.expiresAt} />
        </p>
      </header>
      <ul className="flex flex-wrap items-start gap-6">
        {files.map(({ fileId, name, width, height, image }) => (
          <li key={fileId} className="flex max-w-full flex-col gap-1.5">
            <img
              src={image.url}
              alt={t("picture", { name })}
              width={width}
              height={height}
              loading="lazy"
              className="h-auto max-h-[60dvh] w-auto max-w-full border border-line bg-sunk"
            />
            <span className="text-xs text-quiet">{name}</span>
          </li>
        ))}
      </ul>
      <section aria-labelledby="answer" className="grid gap-8 lg:grid-cols-2">
        <div className="flex flex-col gap-4">
          <h2 id="answer" className="text-lg font-semibold">
            {t("answer")}
          </h2>
          <CommentForm token={token} names={names} />
        </div>
        {pack.comments.length > 0 && (
          <div className="flex flex-col gap-4">
            <h2 className="text-lg font-semibold">{t("said")}</h2>
            <CommentList comments={pack.comments} fileNames={names} />
          </div>
        )}
      </section>
    </main>
  );
}
