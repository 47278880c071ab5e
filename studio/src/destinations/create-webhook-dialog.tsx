import { useMutation } from "@tanstack/react-query";
import { WEBHOOK_EVENTS, type WebhookEvent } from "creative-packs-service/delivery-rules";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Checkbox } from "#ui/checkbox.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Form, textOf } from "#ui/form.tsx";
import { Secret } from "#ui/secret.tsx";
import { TextField } from "#ui/text-field.tsx";
import { refreshDestinations } from "./destinations-queries.ts";

const USUAL: readonly WebhookEvent[] = ["job.succeeded", "job.failed"];

/** Creates a webhook from its URL and events, and shows its secret once. */
export function CreateWebhookDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation("destinations");
  const workspaceId = useWorkspaceId();
  const [events, setEvents] = useState(USUAL);
  const tellsBalance = events.includes("balance.low");
  const create = useMutation({
    mutationFn: (form: FormData) =>
      callAccount("saveWorkspaceDestination", {
        path: { workspaceId },
        json: {
          kind: "webhook",
          url: textOf(form, "url"),
          events: [...events],
          ...(tellsBalance ? { lowBalanceBelow: Number(textOf(form, "below")) } : {}),
        },
      }),
    onSuccess: () => refreshDestinations(workspaceId),
  });
  if (create.data?.signingSecret) {
    return <SigningSecretDialog secret={create.data.signingSecret} onClose={onClose} />;
  }
  const toggle = (event: WebhookEvent) => (isChosen: boolean) =>
    setEvents(WEBHOOK_EVENTS.filter((each) => (each === event ? isChosen : events.includes(each))));
  return (
    <Dialog title={t("webhook.title")} isOpen onClose={onClose}>
      <Form sending={create} submit={t("webhook.submit")} isDisabled={events.length === 0}>
        <TextField label={t("webhook.url")} hint={t("webhook.urlHint")} name="url" type="url" required />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 text-sm font-medium">{t("webhook.events")}</legend>
          {WEBHOOK_EVENTS.map((event) => (
            <Checkbox key={event} isChecked={events.includes(event)} onChange={toggle(event)}>
              {t(`event.${event}`)}
            </Checkbox>
          ))}
        </fieldset>
        {tellsBalance && (
          <TextField
            label={t("webhook.below")}
            name="below"
            type="number"
            min={1}
            defaultValue={20}
            required
          />
        )}
      </Form>
    </Dialog>
  );
}

interface SigningSecretDialogProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a webhook's secret once; it cannot be shown again. */
export function SigningSecretDialog({ secret, onClose }: SigningSecretDialogProps) {
  const { t } = useTranslation("destinations");
  return (
    <Dialog title={t("secret.title")} isOpen onClose={onClose}>
      <Secret label={t("secret.label")} text={secret} note={t("secret.note")} />
    </Dialog>
  );
}
