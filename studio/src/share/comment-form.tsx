import { useMutation } from "@tanstack/react-query";
import type { ShareComment } from "creative-packs";
import { LIMITS } from "creative-packs-service/limits";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { openClient } from "#api/client.ts";
import { queryClient } from "#api/queries.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";
import { Select } from "#ui/select.tsx";
import { TextArea, TextField } from "#ui/text-field.tsx";
import { sharedPackQuery } from "./shared-pack-query.ts";

type Verdict = "approved" | "changes-requested";

const WHOLE = "whole";
/** Who answers twice need not say twice who they are. */
const NAME = "creative-packs.visitor";

interface CommentFormProps {
  readonly token: string;
  /** What each file is called, by its id. */
  readonly names: ReadonlyMap<string, string>;
}

/** Says something of the pack or of one picture, approves it, or asks for changes. */
export function CommentForm({ token, names }: CommentFormProps) {
  const { t } = useTranslation("share");
  const [name, setName] = useState(() => localStorage.getItem(NAME) ?? "");
  const [text, setText] = useState("");
  const [about, setAbout] = useState(WHOLE);
  const send = useMutation({
    mutationFn: async (verdict: Verdict | null) => {
      const by = { name, ...(about === WHOLE ? {} : { fileId: about }) };
      const words = text.trim() === "" ? {} : { text };
      await openClient.shares.comment(
        token,
        verdict === null ? { ...by, text } : { ...by, ...words, verdict },
      );
      return text;
    },
    onSuccess: (sent) => {
      localStorage.setItem(NAME, name);
      // What was typed on meanwhile is not sent yet.
      setText((now) => (now === sent ? "" : now));
      return queryClient.invalidateQueries({ queryKey: sharedPackQuery(token).queryKey });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const pressed = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null;
    const value = pressed instanceof HTMLButtonElement ? pressed.value : "";
    send.mutate(value === "approved" || value === "changes-requested" ? value : null);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {/* Enter in a field presses a form's first button: that must not be the one that approves. */}
      <button type="submit" disabled hidden />
      <TextField
        label={t("form.name")}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={LIMITS.visitorNameCharactersMax}
        autoComplete="name"
      />
      <Select
        label={t("form.about")}
        value={about}
        options={[
          { value: WHOLE, text: t("form.whole") },
          ...[...names].map(([value, text]) => ({ value, text })),
        ]}
        onChange={setAbout}
      />
      <TextArea
        label={t("form.text")}
        value={text}
        onChange={setText}
        maxLength={LIMITS.commentCharactersMax}
      />
      <ErrorNote error={send.error} />
      {send.isSuccess && (
        <p role="status" className="text-sm text-accent">
          {t("form.sent")}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" value="approved" isBusy={send.isPending}>
          {t("form.approve")}
        </Button>
        <Button type="submit" value="changes-requested" isBusy={send.isPending} disabled={text.trim() === ""}>
          {t("form.askForChanges")}
        </Button>
        <Button
          kind="quiet"
          type="submit"
          value="comment"
          isBusy={send.isPending}
          disabled={text.trim() === ""}
        >
          {t("form.comment")}
        </Button>
      </div>
    </form>
  );
}

interface CommentListProps {
  readonly comments: readonly ShareComment[];
  /** What a file is called, by its id. */
  readonly fileNames: ReadonlyMap<string, string>;
}

/** What visitors said of a pack, oldest first. */
export function CommentList({ comments, fileNames }: CommentListProps) {
  const { t } = useTranslation("share");
  return (
    <ol className="flex flex-col gap-3">
      {comments.map(({ commentId, name, text, verdict, fileId, createdAt }) => (
        <li key={commentId} className="border-l-2 border-line pl-3 text-sm">
          <p className="flex flex-wrap items-center gap-2 text-xs text-quiet">
            <span className="font-medium text-ink">{name}</span>
            {fileId !== null && <span>{t("onFile", { name: fileNames.get(fileId) ?? "" })}</span>}
            <Moment at={createdAt} />
            {verdict !== null && (
              <Badge tone={verdict === "approved" ? "good" : "warning"}>{t(`verdict.${verdict}`)}</Badge>
            )}
          </p>
          {text !== "" && <p className="mt-1 whitespace-pre-wrap">{text}</p>}
        </li>
      ))}
    </ol>
  );
}
