import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ApiError, type SharedPack } from "creative-packs";
import { CalendarClock, Check, MessageSquare, Pencil } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSizeNames } from "#editor/sizes/size-names.ts";
import { ErrorNote } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";
import { Loading } from "#ui/page.tsx";
import { TileGroups } from "#ui/size-tiles.tsx";
import { Pins } from "./pins.tsx";
import {
  latestVerdict,
  type ReviewFile,
  threadsOf,
  useReviewFiles,
  type Verdict,
  verdictOn,
} from "./review.ts";
import { ReviewDialog } from "./review-dialog.tsx";
import { Initial, Threads } from "./threads.tsx";
import { sharedPackQuery, useVisitor } from "./use-visitor.ts";
import { VerdictCard } from "./verdict-card.tsx";

/** Statuses of a link that is revoked, expired or incomplete, and of a pack that is gone. */
const GONE = [403, 404];

/** The approval page, which needs no account: the pack's pictures, comments, and the verdict. */
export function SharePage() {
  const { t } = useTranslation("share");
  const { t: common } = useTranslation();
  const { token } = useParams({ from: "/review/$token" });
  const { data: pack, error, isPending } = useQuery(sharedPackQuery(token));
  if (isPending) return <Loading />;
  if (pack !== undefined) return <Review token={token} pack={pack} />;
  const isGone = error instanceof ApiError && GONE.includes(error.status);
  return (
    <main className="mx-auto flex max-w-lg flex-col gap-4 px-6 py-20">
      <title>{`${t("gone.title")} · ${common("name")}`}</title>
      <h1 className="text-2xl font-semibold tracking-tight">{t(isGone ? "gone.title" : "failed")}</h1>
      {isGone ? <p className="text-quiet">{t("gone.text")}</p> : <ErrorNote error={error} />}
    </main>
  );
}

type ReviewedFile = SharedPack["files"][number] & ReviewFile;

function Review({ token, pack }: { readonly token: string; readonly pack: SharedPack }) {
  const { t } = useTranslation("share");
  const { groupName } = useSizeNames();
  const visitor = useVisitor(token);
  const [openId, setOpenId] = useState<string | null>(null);
  // Kept in this tab until the answer is sent, so that a reload loses none.
  const keptAs = `creative-packs.marks.${token}`;
  const [marks, setMarks] = useState<Readonly<Record<string, Verdict>>>(() =>
    JSON.parse(sessionStorage.getItem(keptAs) ?? "{}"),
  );
  useEffect(() => sessionStorage.setItem(keptAs, JSON.stringify(marks)), [keptAs, marks]);
  const [isAgain, setIsAgain] = useState(false);
  const files = useReviewFiles(pack.files);
  const names = new Map(files.map(({ fileId, name }) => [fileId, name]));
  const threads = threadsOf(pack.comments);
  const latest = latestVerdict(pack.comments);
  const isOpen = latest === null || isAgain;
  const markOf = (fileId: string): Verdict | null =>
    isOpen ? (marks[fileId] ?? null) : verdictOn(latest, fileId);
  const mark = (fileId: string, verdict: Verdict) =>
    setMarks(({ [fileId]: now, ...others }) => (now === verdict ? others : { ...others, [fileId]: verdict }));
  const picture = (file: ReviewedFile) => (
    <img
      src={file.image.url}
      alt={file.name}
      width={file.width}
      height={file.height}
      loading="lazy"
      className="block h-auto w-full bg-sunk"
    />
  );
  const choice = (file: ReviewedFile) => (
    <VerdictChoice
      name={file.name}
      chosen={markOf(file.fileId)}
      onChoose={isOpen ? (verdict) => mark(file.fileId, verdict) : null}
    />
  );
  return (
    <>
      <title>{`${pack.name || t("untitled")} · ${pack.brand.name}`}</title>
      <BrandBar pack={pack} />
      <main className="mx-auto flex max-w-7xl flex-col gap-8 px-4 py-8 sm:px-8">
        <Purpose pack={pack} />
        <div className="grid items-start gap-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <div className="flex min-w-0 flex-col gap-8">
            <TileGroups
              sizes={files}
              groupName={groupName}
              heading="h2"
              boxOf={(file) => file}
              tile={(file, widthPx) => (
                <figure
                  key={file.fileId}
                  className="flex max-w-full flex-col gap-2"
                  style={{ width: Math.max(240, widthPx) }}
                >
                  <div className="relative max-w-full" style={{ width: widthPx }}>
                    <button
                      type="button"
                      aria-label={t("large.open", { name: file.name })}
                      onClick={() => setOpenId(file.fileId)}
                      className="block w-full cursor-zoom-in border border-line shadow-xs transition-shadow hover:shadow-lg"
                    >
                      {picture(file)}
                    </button>
                    <Pins threads={threads.filter(({ comment }) => comment.fileId === file.fileId)} />
                  </div>
                  <figcaption className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 text-xs text-quiet tabular-nums">
                    {file.width} × {file.height}
                    {choice(file)}
                  </figcaption>
                </figure>
              )}
            />
          </div>
          <aside className="flex flex-col gap-6 lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto">
            <VerdictCard
              visitor={visitor}
              files={files}
              latest={latest}
              marks={marks}
              isOpen={isOpen}
              onAgain={() => setIsAgain(true)}
              onSent={() => {
                setMarks({});
                setIsAgain(false);
              }}
            />
            <section aria-labelledby="comments" className="flex flex-col gap-4">
              <h2 id="comments" className="flex items-center gap-2 text-sm font-semibold">
                <MessageSquare className="size-4" />
                {t("said", { count: threads.length })}
              </h2>
              {threads.length === 0 ? (
                <p className="text-sm text-quiet">{t("none")}</p>
              ) : (
                <Threads threads={threads} reviewer={visitor} names={names} onOpen={setOpenId} />
              )}
            </section>
          </aside>
        </div>
      </main>
      {openId !== null && (
        <ReviewDialog
          files={files}
          fileId={openId}
          onShow={setOpenId}
          onClose={() => setOpenId(null)}
          picture={picture}
          threads={threads}
          reviewer={visitor}
          verdict={choice}
        />
      )}
    </>
  );
}

function BrandBar({ pack: { brand, expiresAt } }: { readonly pack: SharedPack }) {
  const { t } = useTranslation("share");
  return (
    <header className="sticky top-0 z-30 flex items-center gap-3 border-b border-line bg-card px-4 py-3 sm:px-8">
      {brand.logoUrl !== null && (
        <img
          src={brand.logoUrl}
          alt=""
          className="h-10 max-w-44 rounded-md border border-line bg-white object-contain p-1"
        />
      )}
      <span className="min-w-0 flex-1 truncate font-semibold tracking-tight">{brand.name}</span>
      <span className="hidden text-xs text-quiet sm:block">
        {t("until")} <Moment at={expiresAt} hasTime={false} />
      </span>
    </header>
  );
}

/** The pack to approve, its sender, and the due date. */
function Purpose({ pack }: { readonly pack: SharedPack }) {
  const { t } = useTranslation("share");
  const { name, senderName, brand, message, dueAt, isClean } = pack;
  const sender = senderName ?? brand.name;
  return (
    <div className="flex flex-col gap-5">
      <h1 className="text-3xl font-semibold tracking-tight text-balance">{name || t("untitled")}</h1>
      <div className="flex gap-3 rounded-xl border border-line bg-card p-5 shadow-xs">
        <Initial name={sender} />
        <div className="flex min-w-0 flex-1 flex-col gap-2.5">
          <p className="text-sm">
            <span className="font-medium">{sender}</span> {t("asks", { count: pack.files.length })}
          </p>
          {message !== "" && <p className="max-w-prose text-base whitespace-pre-wrap">{message}</p>}
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-xs text-quiet">
            {dueAt !== null && (
              <span className="flex items-center gap-1.5 rounded-full bg-amber-soft px-2.5 py-1 font-medium text-amber">
                <CalendarClock className="size-3.5" />
                <span>
                  {t("due")} <Moment at={dueAt} hasTime={false} />
                </span>
              </span>
            )}
            {!isClean && t("marked")}
          </div>
        </div>
      </div>
    </div>
  );
}

interface VerdictChoiceProps {
  readonly name: string;
  readonly chosen: Verdict | null;
  /** Null once the verdict is given. */
  readonly onChoose: ((verdict: Verdict) => void) | null;
}

const CHOICES = [
  { verdict: "approved", Icon: Check, tone: "border-accent bg-accent text-on-accent" },
  { verdict: "changes-requested", Icon: Pencil, tone: "border-amber bg-amber-soft text-amber" },
] as const;
const CHOICE =
  "inline-flex min-h-7 items-center gap-1.5 rounded-full border px-2.5 text-xs font-medium whitespace-nowrap";

/** Buttons that approve one picture or request changes to it; once the answer is sent, its verdict. */
function VerdictChoice({ name, chosen, onChoose }: VerdictChoiceProps) {
  const { t } = useTranslation("share");
  return (
    <span className="flex gap-1.5">
      {CHOICES.filter(({ verdict }) => onChoose !== null || verdict === chosen).map(
        ({ verdict, Icon, tone }) => {
          const look = `${CHOICE} ${chosen === verdict ? tone : "border-line bg-card text-ink hover:border-ink"}`;
          const content = (
            <>
              <Icon className="size-3.5" />
              {t(`size.${onChoose === null ? "done" : "choose"}.${verdict}`)}
            </>
          );
          return onChoose === null ? (
            <span key={verdict} className={look}>
              {content}
            </span>
          ) : (
            <button
              key={verdict}
              type="button"
              aria-label={t(`size.label.${verdict}`, { name })}
              aria-pressed={chosen === verdict}
              onClick={() => onChoose(verdict)}
              className={look}
            >
              {content}
            </button>
          );
        },
      )}
    </span>
  );
}
