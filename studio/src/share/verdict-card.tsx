import { useMutation } from "@tanstack/react-query";
import type { ShareComment } from "creative-packs";
import { LIMITS } from "creative-packs-service/limits";
import { CircleCheck, PencilLine } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";
import { TextArea } from "#ui/text-field.tsx";
import { NameField } from "./composer.tsx";
import { type ReviewFile, type Verdict, verdictOn } from "./review.ts";
import type { useVisitor } from "./use-visitor.ts";

interface VerdictCardProps {
  readonly visitor: ReturnType<typeof useVisitor>;
  readonly files: readonly ReviewFile[];
  readonly latest: ShareComment | null;
  /** Unsent verdicts on single pictures, by file id. */
  readonly marks: Readonly<Record<string, Verdict>>;
  /** Whether the form is shown: there is no answer yet, or it is being changed. */
  readonly isOpen: boolean;
  readonly onAgain: () => void;
  readonly onSent: () => void;
}

const CARD = "flex flex-col gap-4 rounded-xl border p-5 shadow-xs";

/** The answer to the whole pack: a form, then the answer given. */
export function VerdictCard({ isOpen, ...props }: VerdictCardProps) {
  if (isOpen || props.latest === null) return <VerdictForm {...props} />;
  return <GivenVerdict latest={props.latest} files={props.files} onAgain={props.onAgain} />;
}

function VerdictForm({ visitor, files, marks, onSent }: Omit<VerdictCardProps, "isOpen">) {
  const { t } = useTranslation("share");
  const known = visitor.visitor.name;
  const [name, setName] = useState(known);
  const [text, setText] = useState("");
  const send = useMutation({
    mutationFn: (verdict: Verdict) => visitor.judge(known || name.trim(), text.trim(), verdict, marks),
    onSuccess: () => {
      setText("");
      onSent();
    },
  });
  const marked = Object.values(marks);
  const changes = marked.filter((verdict) => verdict === "changes-requested").length;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const pressed = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null;
    if (!(pressed instanceof HTMLButtonElement)) return;
    if (pressed.value === "approved" || pressed.value === "changes-requested") send.mutate(pressed.value);
  };
  return (
    <form onSubmit={submit} aria-labelledby="answer" className={`${CARD} border-line bg-card`}>
      {/* Enter in a field clicks the form's first submit button, which must not be the one that approves. */}
      <button type="submit" disabled hidden />
      <div className="flex flex-col gap-1">
        <h2 id="answer" className="text-base font-semibold">
          {t("answer.title")}
        </h2>
        <p className="text-sm text-quiet">
          {marked.length === 0
            ? t("answer.lead")
            : t("answer.marked", { count: marked.length, total: files.length })}
        </p>
      </div>
      <NameField reviewer={visitor} name={name} onChange={setName} />
      <TextArea
        label={t("answer.note")}
        value={text}
        onChange={setText}
        maxLength={LIMITS.commentCharactersMax}
      />
      <ErrorNote error={send.error} />
      <div className="flex flex-col gap-2">
        {changes === 0 && (
          <Button kind="primary" type="submit" value="approved" isBusy={send.isPending}>
            <CircleCheck className="size-4" />
            {t("answer.approve", { count: files.length })}
          </Button>
        )}
        <Button
          kind={changes === 0 ? "secondary" : "primary"}
          type="submit"
          value="changes-requested"
          isBusy={send.isPending}
        >
          <PencilLine className="size-4" />
          {changes === 0 ? t("answer.changes") : t("answer.changesTo", { count: changes })}
        </Button>
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

function GivenVerdict({
  latest,
  files,
  onAgain,
}: Pick<VerdictCardProps, "files" | "onAgain"> & { readonly latest: ShareComment }) {
  const { t } = useTranslation("share");
  const isApproved = latest.verdict === "approved";
  const changed = files.filter(({ fileId }) => verdictOn(latest, fileId) === "changes-requested");
  const Icon = isApproved ? CircleCheck : PencilLine;
  return (
    <section
      role="status"
      className={`${CARD} border-transparent ${isApproved ? "bg-accent-soft" : "bg-amber-soft"}`}
    >
      <Icon className={`size-8 ${isApproved ? "text-accent" : "text-amber"}`} />
      <div className="flex flex-col gap-1">
        <h2 className="text-lg font-semibold">{t(isApproved ? "given.approved" : "given.changes")}</h2>
        <p className="text-sm">
          {t("given.by", { name: latest.name })} <Moment at={latest.createdAt} />
        </p>
      </div>
      {changed.length > 0 && (
        <ul className="list-disc pl-5 text-sm">
          {changed.map(({ fileId, name }) => (
            <li key={fileId}>{name}</li>
          ))}
        </ul>
      )}
      {latest.text !== "" && <p className="text-sm whitespace-pre-wrap">{latest.text}</p>}
      <p className="text-sm">{t(isApproved ? "given.nextApproved" : "given.nextChanges")}</p>
      <div>
        <Button onClick={onAgain}>{t("given.again")}</Button>
      </div>
    </section>
  );
}
