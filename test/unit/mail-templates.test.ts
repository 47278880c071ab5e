import { describe, expect, it } from "vitest";
import { MAIL_KINDS, MAIL_LANGUAGES, type MailLanguage } from "#api/mail-rules.ts";
import { composeMail } from "#domains/mail/attempt-mail.ts";
import { VARIANT_IDS } from "#domains/mail/templates.ts";
import {
  SAMPLE_EXPIRES_AT_MS,
  SAMPLE_MAILS,
  SAMPLE_ORIGIN,
  type SampleMail,
} from "../support/sample-mails.ts";

/**
 * Every kind of mail in every language has a subject of one line and two equivalent parts without placeholders. Values
 * appear as text, never as markup, a header or a link.
 */

const composeOrNull = (language: MailLanguage, { kind, facts, link, failedPacks }: SampleMail) =>
  composeMail({
    ...{ kind, language, facts, link },
    origin: SAMPLE_ORIGIN,
    expiresAtMs: SAMPLE_EXPIRES_AT_MS,
    readFailedPacks: async () => failedPacks,
  });

async function compose(language: MailLanguage, mail: SampleMail) {
  const composed = await composeOrNull(language, mail);
  if (composed === null) throw new Error(`no mail of ${mail.kind}`);
  return composed;
}

const each = MAIL_LANGUAGES.flatMap((language) =>
  VARIANT_IDS.map((variant) => ({ language, variant, mail: SAMPLE_MAILS[variant] })),
);

/** The text of the HTML as shown without styles. */
const shownText = (html: string): string =>
  html
    .replaceAll(/<\/?span[^>]*>/g, "")
    .replaceAll(/<style>[^<]*<\/style>|<!--[^>]*>|<[^>]+>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ");

describe.each(each)("$variant in $language", ({ language, mail }) => {
  it("is complete in both parts", async () => {
    const { subject, text, html } = await compose(language, mail);
    for (const part of [subject, text, html]) {
      expect(part).not.toMatch(/\{\{|\}\}|undefined|NaN|\[object/);
      expect(part.trim()).not.toBe("");
    }
    expect(subject).not.toMatch(/[\r\n]/);
    expect(html).toContain(`lang="${language}"`);
  });

  it("has its link in both parts, and nothing from another server", async () => {
    const { text, html } = await compose(language, mail);
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link?.replaceAll("&amp;", "&"));
    expect(new Set(links).size).toBe(mail.kind === "address-changed" ? 0 : 1);
    for (const link of links) expect(text).toContain(link);
    if (mail.link !== null) expect(links[0]).toBe(mail.link);
    expect(html).not.toMatch(/<(?:img|script|link|iframe|form)\b|@import|url\(|@font-face/);
  });

  it("has the same content as text", async () => {
    const { text, html } = await compose(language, mail);
    const shown = shownText(html);
    for (const line of text.split("\n").map((one) => one.trim())) {
      const withoutLink = line.replace(/ ?https:\S+$/, "").replaceAll(/\s+/g, " ");
      expect(shown.replaceAll("&lt;", "<").replaceAll("&gt;", ">")).toContain(withoutLink);
    }
  });
});

it("API §20.4 every kind has a template", () => {
  expect(new Set(VARIANT_IDS.map((variant) => SAMPLE_MAILS[variant].kind))).toEqual(new Set(MAIL_KINDS));
});

describe("numbers, sums and times", () => {
  it.each([
    ["en", "€1,234.50", "1,500 credits", "2 November 2026 at 12:00 UTC"],
    ["de", "1.234,50 €", "1.500 Credits", "2. November 2026 um 12:00 UTC"],
  ] as const)("are written as in %s", async (language, amount, credits, moment) => {
    const { text } = await compose(language, SAMPLE_MAILS["receipt.credits"]);
    expect(text.replaceAll(/[\u00a0\u202f]/g, " ")).toContain(amount);
    expect(text).toContain(credits);
    expect(text).toContain(moment);
  });

  it.each([
    ["jpy", 500, "JP¥500"],
    ["bhd", 1_500, "BHD 1.500"],
    ["isk", 50_000, "ISK 500"],
  ])("a sum in %s", async (currency, amount, written) => {
    const { facts, ...mail } = SAMPLE_MAILS["receipt.credits"];
    const { subject } = await compose("en", {
      ...mail,
      facts: Object.assign({}, facts, { currency, amount }),
    });
    expect(subject.replaceAll(/[\u00a0\u202f]/g, " ")).toContain(written);
  });

  it("one credit is in the singular", async () => {
    expect((await compose("en", SAMPLE_MAILS["balance-low"])).subject).toBe("1 credit left");
  });
});

describe("values that people entered", () => {
  const invitationBy = (inviterName: string): SampleMail => ({
    ...SAMPLE_MAILS.invitation,
    facts: { workspaceName: "Acme", inviterName },
  });

  it("are not markup", async () => {
    const { html, text } = await compose("en", invitationBy(`<a href='x'>"Eve" & co</a>`));
    expect(html).toContain("&lt;a href=&#39;x&#39;&gt;&quot;Eve&quot; &amp; co&lt;/a&gt;");
    expect(html).not.toContain("<a href='x'>");
    expect(text).toContain(`<a href='x'>"Eve" & co</a>`);
  });

  it("add no header, with any kind of line break", async () => {
    const { subject } = await compose("en", invitationBy("Eve\r\nBcc: all@example.com\u2028\u0085\0x"));
    expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    expect(subject).toContain("Eve  Bcc: all@");
  });

  it("are not placeholders", async () => {
    const { text } = await compose("en", invitationBy("{{link}}{{name}}"));
    expect(text).toContain("{{link}}{{name}} invites you");
  });

  it("are not links, and do not reverse text", async () => {
    const { subject } = await compose("en", invitationBy("Free: https://evil.example/x \u202egnp.exe"));
    expect(subject).not.toContain("https://");
    expect(subject).not.toContain("evil.example");
    expect(subject).not.toContain("\u202e");
  });

  it("are truncated between characters if they are long", async () => {
    const { subject } = await compose("en", invitationBy("👩‍🚀".repeat(100_000)));
    expect(subject.length).toBeLessThan(400);
    expect(subject).not.toMatch(/\p{Cs}/u);
  });
});

it.each([
  ["a mail with the facts of another kind", { ...SAMPLE_MAILS["new-device"], facts: { name: "Ada" } }],
  ["a reset mail without its link", { ...SAMPLE_MAILS["reset-password"], link: null }],
  [
    "a receipt with a javascript: URL",
    { ...SAMPLE_MAILS["receipt.credits"], facts: { receiptUrl: "javascript:0" } },
  ],
  ["an empty digest", { ...SAMPLE_MAILS["packs-failed.one"], failedPacks: [] }],
])("%s is not composed", async (_, mail) => {
  expect(await composeOrNull("en", mail)).toBeNull();
});

it("a pack without a name is called a pack", async () => {
  const { facts, ...mail } = SAMPLE_MAILS["approval-given.approved"];
  const { subject } = await compose("de", { ...mail, facts: Object.assign({}, facts, { shareName: "" }) });
  expect(subject).toBe("Grace Hopper hat „Ihr Paket“ freigegeben");
});

it("a digest lists its entries, and counts the rest", async () => {
  const { text, subject } = await compose("en", SAMPLE_MAILS["packs-failed.other"]);
  expect(subject).toBe("13 packs failed and were refunded");
  expect(text).toContain("Summer sale\ncampaign.v1\nand 11 more");
});
