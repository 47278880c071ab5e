import { readOffers } from "#platform/bindings/offers.ts";
import { webOriginOf } from "#platform/outbound/web-origin.ts";
import type { Deployment } from "./deployment.ts";
import type { Finding } from "./finding.ts";

/** Mail, payments and videos may be off, but not half configured. */

type Settings = Pick<Deployment, "variables" | "hasMailBinding" | "hasVideoQueue">;

function secretFinding(name: string, user: string, secrets: readonly unknown[]): Finding {
  const subject = `secret ${name}`;
  if (secrets.includes(name)) return { subject, state: "good", detail: "there" };
  return { subject, state: "later", detail: `npx wrangler secret put ${name}; without it, ${user}` };
}

function mailFindings({ variables, hasMailBinding }: Settings, secrets: readonly unknown[]): Finding[] {
  const subject = "variable MAIL_FROM";
  if (typeof variables.MAIL_FROM !== "string" || variables.MAIL_FROM === "") {
    const isHalf = hasMailBinding || secrets.includes("MAIL_API_KEY");
    const detail = isHalf
      ? "is missing: who mail is from, as Creative Packs <mail@packs.example>"
      : "not set: no mail is sent, addresses are not confirmed, and operators reset passwords";
    return [{ subject, state: isHalf ? "missing" : "good", detail }];
  }
  const { PUBLIC_ORIGIN: origin } = variables;
  const hasOrigin = typeof origin === "string" && webOriginOf(origin) !== null;
  return [
    { subject, state: "good", detail: variables.MAIL_FROM },
    ...(hasOrigin
      ? []
      : [
          {
            subject: "variable PUBLIC_ORIGIN",
            state: "missing" as const,
            detail: "is the address in the links of mails, as https://packs.example; mail needs it",
          },
        ]),
    ...(hasMailBinding ? [] : [secretFinding("MAIL_API_KEY", "no mail is sent", secrets)]),
    ...(hasMailBinding
      ? []
      : [secretFinding("MAIL_WEBHOOK_SECRET", "addresses that do not exist are written to again", secrets)]),
  ];
}

const STRIPE_SECRETS = ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"];

function paymentFindings({ variables }: Settings, secrets: readonly unknown[]): Finding[] {
  const subject = "variable BILLING_OFFERS";
  const { BILLING_OFFERS: setting } = variables;
  if (setting === undefined) {
    const isHalf = STRIPE_SECRETS.some((name) => secrets.includes(name));
    const detail = isHalf
      ? "is missing: the price list, see docs/billing.md"
      : "not set: nothing is sold, operators grant credits";
    return [{ subject, state: isHalf ? "missing" : "good", detail }];
  }
  const offers = readOffers(setting);
  if (offers === null) {
    return [{ subject, state: "missing", detail: "is no list of offers; docs/billing.md has its form" }];
  }
  return [
    { subject, state: "good", detail: `${offers.length} offers` },
    ...STRIPE_SECRETS.map((name) => secretFinding(name, "nothing can be bought", secrets)),
  ];
}

function videoFinding({ variables, hasVideoQueue }: Settings): Finding {
  const { MP4_OUTPUT: setting = "on" } = variables;
  const isWhole = setting === "off" || (setting === "on" && hasVideoQueue);
  const detail = isWhole
    ? `${setting}: packs ${setting === "on" ? "may be MP4, whose codec has patents" : "are never MP4"}`
    : 'is neither `"off"` nor `"on"` with VIDEO_QUEUE bound as in wrangler.toml; see docs/deploying.md';
  return { subject: "variable MP4_OUTPUT", state: isWhole ? "good" : "missing", detail };
}

/** Missing settings of mail, payments and videos. `secrets`: names of the worker's secrets. */
export const optionalFindings = (settings: Settings, secrets: readonly unknown[]): Finding[] => [
  ...mailFindings(settings, secrets),
  ...paymentFindings(settings, secrets),
  videoFinding(settings),
];
