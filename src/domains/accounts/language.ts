import type { MailLanguage } from "#api/mail-rules.ts";
import { updateLanguage } from "./store.ts";

/** Sets the language of the mails that an account is sent from now on. */
export async function changeLanguage(
  db: D1Database,
  accountId: string,
  language: MailLanguage,
  nowMs: number,
): Promise<void> {
  await updateLanguage.run(db, { accountId, language, nowMs });
}
