import { useMutation } from "@tanstack/react-query";
import type { ShareComment } from "creative-packs";
import { LIMITS } from "creative-packs-service/limits";
import { CircleCheck, Pencil } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";
import { TextArea } from "#ui/text-field.tsx";
import { NameField } from "./composer.tsx";
import { type ReviewFile, type Thread, type Verdict, verdictOn } from "./review.ts";
import type { useVisitor } from "./use-visitor.ts";

interface AnswerProps {
  readonly visitor: ReturnType<typeof useVisitor>;
  readonly files: readonly ReviewFile[];
  /** Unsent verdicts on single pictures, by file id. */
  readonly marks: Readonly<Record<string, Verdict>>;
  readonly onSent: () => void;
  /** Whether an answer is being changed. Then the form gets the focus, because the focused button is gone. */
  readonly isAgain: boolean;
}

const ICONS = { approved: CircleCheck, "changes-requested": Pencil } as const;

const focus = (element: HTMLElement | null): void => element?.focus();

/** Possible answers, the likely one first. A pack with a requested change to a picture cannot be approved. */
function useChoices({ files, marks }: Pick<AnswerProps, "files" | "marks">) {
  const { t } = useTranslation("share");
  const changes = Object.values(marks).filter((verdict) => verdict === "changes-requested").length;
  const approve = { verdict: "approved", text: t("answer.approve", { count: files.length }) } as const;
  const change = {
    verdict: "changes-requested",
    text: changes === 0 ? t("answer.changes") : t("answer.changesTo", { count: changes }),
  } as const;
  return changes === 0 ? [approve, change] : [change];
}

/** For narrow windows: a bar with the answer buttons that stays visible. The form is in a dialog. */
export function AnswerBar(props: AnswerProps) {
  const [chosen, setChosen] = useState<Verdict | null>(null);
  const choices = useChoices(props);
  const title = choices.find(({ verdict }) => verdict === chosen)?.text;
  return (
    <div
      data-foot-bar
      tabIndex={-1}
      ref={props.isAgain ? focus : undefined}
      className="fixed inset-x-0 bottom-0 z-30 flex justify-center gap-2 border-t border-line bg-card px-4 py-2.5 outline-none lg:hidden [&>button]:min-h-11 [&>button]:max-w-80 [&>button]:flex-1 [&>button]:px-2 [&>button]:text-balance [&>button]:whitespace-normal"
    >
      {choices.map(({ verdict, text }, at) => (
        <Button key={verdict} kind={at === 0 ? "primary" : "secondary"} onClick={() => setChosen(verdict)}>
          {text}
        </Button>
      ))}
      {title !== undefined && (
        <Dialog title={title} isOpen onClose={() => setChosen(null)}>
          <AnswerForm {...props} only={chosen} />
        </Dialog>
      )}
    </div>
  );
}

/** Form for the verdict on the whole pack. */
export function AnswerCard(props: AnswerProps) {
  const { t } = useTranslation("share");
  const { files, marks, isAgain } = props;
  const marked = Object.keys(marks).length;
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      className="flex flex-col gap-4 rounded-xl border border-line bg-card p-5 shadow-xs max-lg:hidden"
    >
      <div className="flex flex-col gap-1">
        <h2 id={titleId} tabIndex={-1} ref={isAgain ? focus : undefined} className="text-base font-semibold">
          {t("answer.title")}
        </h2>
        <p className="text-sm text-quiet">
          {marked === 0 ? t("answer.lead") : t("answer.marked", { count: marked, total: files.length })}
        </p>
      </div>
      <AnswerForm {...props} only={null} />
    </section>
  );
}

/** Form with name, note and buttons. `only`: the answer that is already chosen. */
function AnswerForm({ only, ...props }: AnswerProps & { readonly only: Verdict | null }) {
  const { t } = useTranslation("share");
  const { visitor, marks, onSent } = props;
  const known = visitor.visitor.name;
  const [name, setName] = useState(known);
  const [text, setText] = useState("");
  const send = useMutation({
    mutationFn: (verdict: Verdict) => visitor.judge(known || name.trim(), text.trim(), verdict, marks),
    onSuccess: onSent,
  });
  const choices = useChoices(props).filter(({ verdict }) => only === null || verdict === only);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const pressed = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null;
    if (!(pressed instanceof HTMLButtonElement)) return;
    if (pressed.value === "approved" || pressed.value === "changes-requested") send.mutate(pressed.value);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {/* Enter in a field clicks the form's first submit button. This disabled one prevents approval by accident. */}
      <button type="submit" disabled hidden />
      <NameField reviewer={visitor} name={name} onChange={setName} />
      <TextArea
        label={t("answer.note")}
        value={text}
        onChange={setText}
        maxLength={LIMITS.commentCharactersMax}
      />
      <ErrorNote error={send.error} />
      <div className="flex flex-col gap-2 max-lg:[&>button]:min-h-12">
        {choices.map(({ verdict, text: words }, at) => {
          const Icon = ICONS[verdict];
          return (
            <Button
              key={verdict}
              kind={at === 0 ? "primary" : "secondary"}
              type="submit"
              value={verdict}
              isBusy={send.isPending}
            >
              <Icon className="size-4" />
              {words}
            </Button>
          );
        })}
      </div>
      {known !== "" && (
        <p className="text-xs text-quiet">
          {t("answer.as", { name: known })}{" "}
          <button type="button" className="text-accent underline" onClick={() => visitor.visitor.rename("")}>
            {t("answer.rename")}
          </button>
        </p>
      )}
    </form>
  );
}

interface GivenVerdictProps extends Pick<AnswerProps, "files"> {
  readonly title: string;
  readonly latest: ShareComment;
  readonly threads: readonly Thread[];
  /** Null if the sender is not known. */
  readonly senderName: string | null;
  /** Whether the verdict was sent from this page. Then it gets the focus, because the form is gone. */
  readonly isNew: boolean;
  readonly onAgain: () => void;
}

/** The given answer, shown instead of the request. */
export function GivenVerdict(props: GivenVerdictProps) {
  const { title, latest, files, threads, senderName, isNew, onAgain } = props;
  const { t } = useTranslation("share");
  const { verdict, name, text, createdAt } = latest;
  const isApproved = verdict === "approved";
  const changed = files.filter(({ fileId }) => verdictOn(latest, fileId) === "changes-requested");
  const open = threads.filter(
    ({ comment }) => comment.verdict === null && comment.resolvedAt === null,
  ).length;
  const Icon = ICONS[isApproved ? "approved" : "changes-requested"];
  return (
    <section
      role="status"
      tabIndex={-1}
      ref={isNew ? focus : undefined}
      className={`grid scroll-mt-10 grid-cols-[auto_1fr] items-center gap-x-4 gap-y-3 rounded-xl p-5 outline-none sm:grid-cols-[auto_1fr_auto] ${isApproved ? "bg-accent-soft" : "bg-amber-soft"}`}
    >
      <Icon className={`size-8 max-sm:self-start ${isApproved ? "text-accent" : "text-amber"}`} />
      <div className="flex min-w-0 flex-col gap-1 text-sm">
        <h1 className="text-base/6 font-semibold sm:text-xl/7">
          {title} · {t(isApproved ? "given.approved" : "given.changes", { name })}{" "}
          <Moment at={createdAt} hasTime={false} />
        </h1>
        {changed.length > 0 && <p>{changed.map((file) => file.name).join(", ")}</p>}
        {text !== "" && <p className="whitespace-pre-wrap">{text}</p>}
        <p className="text-quiet">
          {!isApproved && t("given.nextChanges")}
          {isApproved && open === 0 && t("given.nextApproved")}
          {isApproved && open > 0 && (
            <a href="#comments" className="text-accent underline">
              {t(senderName === null ? "given.nextOpen" : "given.seen", { count: open, name: senderName })}
            </a>
          )}
        </p>
      </div>
      <div className="max-sm:col-start-2">
        <Button onClick={onAgain}>{t("given.again")}</Button>
      </div>
    </section>
  );
}
