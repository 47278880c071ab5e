import type { Settings } from "./workspace.ts";

/** Settings of an origin that sends mail. */
export const MAIL = {
  MAIL_FROM: "Creative Packs <mail@packs.example>",
  MAIL_API_KEY: "integration-tests-mail-0123456789",
  PUBLIC_ORIGIN: "https://packs.example",
} satisfies Settings;
