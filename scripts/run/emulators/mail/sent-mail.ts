import { z } from "zod";

/** A mail that was sent. https://resend.com/docs/api-reference/emails/retrieve-email */
export const mailSchema = z.object({
  id: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  html: z.string().nullable(),
  text: z.string().nullable(),
  created_at: z.string(),
});
export type SentMail = Readonly<z.infer<typeof mailSchema>>;
