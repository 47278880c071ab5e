import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ApiError, type SharedPack } from "creative-packs";
import { CalendarClock, Check, MessageSquare, MessageSquarePlus, Pencil } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSizeNames } from "#editor/sizes/size-names.ts";
import { ErrorNote } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";
import { Loading } from "#ui/page.tsx";
import { TILE, TileCaption, TileGroups } from "#ui/size-tiles.tsx";
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
import { AnswerBar, AnswerCard, GivenVerdict } from "./verdict-card.tsx";

/** Status codes of a revoked, expired or incomplete link, and of a deleted pack. */
const GONE = [403, 404];

/** The approval page, which needs no account: the pack's pictures, comments and the verdict. */
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
  // Unsent verdicts are stored for this tab, so that they survive a reload.
  const keptAs = `creative-packs.marks.${token}`;
  const [marks, setMarks] = useState<Readonly<Record<string, Verdict>>>(() =>
    JSON.parse(sessionStorage.getItem(keptAs) ?? "{}"),
  );
  useEffect(() => sessionStorage.setItem(keptAs, JSON.stringify(marks)), [keptAs, marks]);
  const [isAgain, setIsAgain] = useState(false);
  const [isSent, setIsSent] = useState(false);
  const files = useReviewFiles(pack.files);
  const title = pack.name || t("untitled");
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
  const answer = {
    ...{ visitor, files, marks, isAgain },
    onSent: () => {
      setMarks({});
      setIsAgain(false);
      setIsSent(true);
    },
  };
  return (
    <>
      <title>{`${title} · ${pack.brand.name}`}</title>
      <BrandBar pack={pack} />
      <main className="mx-auto flex max-w-400 flex-col gap-6 px-4 py-6 max-lg:pb-24 sm:px-8 sm:py-8">
        {isOpen && (
          <h1 className="text-2xl font-semibold tracking-tight text-balance sm:text-3xl">{title}</h1>
        )}
        {isOpen ? (
          <Purpose pack={pack} />
        ) : (
          <GivenVerdict
            title={title}
            latest={latest}
            files={files}
            threads={threads}
            senderName={pack.senderName}
            isNew={isSent}
            onAgain={() => setIsAgain(true)}
          />
        )}
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <TileGroups
            sizes={files}
            groupName={groupName}
            heading="h2"
            boxOf={(file) => file}
            tile={(file) => (
              <figure className={TILE}>
                <div className="relative">
                  <button
                    type="button"
                    aria-label={t("large.open", { name: file.name })}
                    onClick={() => setOpenId(file.fileId)}
                    className="block w-full cursor-zoom-in overflow-hidden rounded-sm shadow-sm transition-shadow hover:shadow-lg"
                  >
                    {picture(file)}
                  </button>
                  <Pins threads={threads.filter(({ comment }) => comment.fileId === file.fileId)} />
                </div>
                <TileCaption
                  box={file}
                  action={
                    // Only for pointers. Keyboard users open the picture with its button.
                    <MessageSquarePlus
                      onClick={() => setOpenId(file.fileId)}
                      className="size-8 cursor-pointer rounded-md p-2 hover:bg-card pointer-coarse:size-11 pointer-coarse:p-3.5 @max-[6rem]:hidden"
                    />
                  }
                >
                  {choice(file)}
                </TileCaption>
              </figure>
            )}
          />
          <aside className="flex flex-col gap-6 lg:sticky lg:top-20 lg:-m-1 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto lg:p-1">
            {isOpen && <AnswerCard {...answer} />}
            <section aria-labelledby="comments" className="flex flex-col gap-4">
              <h2 id="comments" className="flex scroll-mt-7 items-center gap-2 text-sm font-semibold">
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
      {isOpen && <AnswerBar {...answer} />}
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

function BrandBar({ pack }: { readonly pack: SharedPack }) {
  const { logoUrl, name } = pack.brand;
  const { t } = useTranslation("share");
  return (
    <header className="sticky top-0 z-30 flex items-center gap-3 border-b border-line bg-card px-4 py-3 sm:px-8">
      {logoUrl === null ? (
        <span className="min-w-0 truncate leading-10 font-semibold tracking-tight">{name}</span>
      ) : (
        <img src={logoUrl} alt={name} className="h-10 max-w-44 rounded-md bg-white object-contain p-1" />
      )}
      <span className="ml-auto hidden shrink-0 text-xs text-quiet sm:block">
        {t("until")} <Moment at={pack.expiresAt} hasTime={false} />
      </span>
    </header>
  );
}

/** The request for approval: the sender, their message, and the due date. */
function Purpose({ pack }: { readonly pack: SharedPack }) {
  const { t } = useTranslation("share");
  const { senderName, brand, message, dueAt, isClean } = pack;
  const sender = senderName ?? brand.name;
  const count = pack.files.length;
  return (
    <div className="flex flex-col gap-3 rounded-xl border border-line bg-card p-5 shadow-xs">
      <p className="max-w-prose text-xl/7 whitespace-pre-wrap">
        {message || `${sender} ${t("asks", { count })}`}
      </p>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-2 text-sm text-quiet">
        <Initial name={sender} />
        <span>
          <span className="font-medium text-ink">{sender}</span> · {t("ads", { count })}
        </span>
        {dueAt !== null && (
          <span className="flex items-center gap-1.5 rounded-full bg-amber-soft px-2.5 py-1 text-xs font-medium text-amber">
            <CalendarClock className="size-3.5" />
            <span>
              {t("due")} <Moment at={dueAt} hasTime={false} />
            </span>
          </span>
        )}
        {!isClean && <span className="text-xs max-sm:basis-full sm:ml-auto">{t("marked")}</span>}
      </div>
    </div>
  );
}

interface VerdictChoiceProps {
  readonly name: string;
  readonly chosen: Verdict | null;
  /** Null once the verdict was sent. */
  readonly onChoose: ((verdict: Verdict) => void) | null;
}

const CHOICES = [
  { verdict: "approved", Icon: Check, tone: "border-accent bg-accent-soft text-accent" },
  { verdict: "changes-requested", Icon: Pencil, tone: "border-amber bg-amber-soft text-amber" },
] as const;
/** Classes that make approval the main action in the large view, until there is a verdict. */
const UNDECIDED =
  "in-[[role=dialog]]:first:border-transparent in-[[role=dialog]]:first:bg-accent in-[[role=dialog]]:first:text-on-accent";

/** Buttons that approve a picture or request changes. Once the answer was sent, shows its verdict. */
function VerdictChoice({ name, chosen, onChoose }: VerdictChoiceProps) {
  const { t } = useTranslation("share");
  if (onChoose === null)
    return CHOICES.filter(({ verdict }) => verdict === chosen).map(({ verdict, Icon }) => (
      <span
        key={verdict}
        className={`flex min-w-0 items-center gap-1 text-xs font-medium ${verdict === "approved" ? "text-accent" : "text-amber"}`}
      >
        <Icon className="size-3.5 shrink-0" />
        <span className="truncate @max-[5.5rem]:sr-only">{t(`size.done.${verdict}`)}</span>
      </span>
    ));
  return (
    <span className="flex flex-1 gap-1 *:flex-1 in-[[role=dialog]]:gap-2 pointer-coarse:@max-[6rem]:flex-wrap">
      {CHOICES.map(({ verdict, Icon, tone }) => (
        <button
          key={verdict}
          type="button"
          aria-label={t(`size.label.${verdict}`, { name })}
          title={t(`size.choose.${verdict}`)}
          aria-pressed={chosen === verdict}
          onClick={() => onChoose(verdict)}
          className={`inline-flex min-h-8 min-w-6 items-center justify-center gap-1.5 rounded-md border px-1 text-xs font-medium whitespace-nowrap pointer-coarse:min-h-11 pointer-coarse:min-w-11 ${chosen === verdict ? tone : "border-strong-line bg-card text-ink hover:border-ink"} ${chosen === null ? UNDECIDED : ""}`}
        >
          <Icon className="size-3.5 shrink-0 @min-[18rem]:@max-[20.5rem]:hidden" />
          <span className="@max-[18rem]:sr-only">{t(`size.choose.${verdict}`)}</span>
        </button>
      ))}
    </span>
  );
}
