import { describe, expect, it } from "vitest";
import { newId } from "#platform/ids.ts";
import { selectValue } from "../support/database.ts";
import { MAIL } from "../support/mail.ts";
import { call, type Settings } from "../support/workspace.ts";

/** API §20.3: only a signed report of a permanent bounce or complaint suppresses an address. */

const KEY = "c3ZpeC1zZWNyZXQtb2YtdGVzdHM=";
const SETTINGS = { ...MAIL, MAIL_WEBHOOK_SECRET: `whsec_${KEY}` };
const OTHER_KEY = btoa("another-secret-of-tests");

const encoder = new TextEncoder();

/** A Svix signature: https://docs.svix.com/receiving/verifying-payloads/how-manual */
async function signatureOf(signed: string, key = KEY): Promise<string> {
  const bytes = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
  const hmac = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  const mac = await crypto.subtle.sign("HMAC", hmac, encoder.encode(signed));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`;
}

const nowSeconds = () => Math.floor(Date.now() / 1_000);

interface Sent {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function signed(report: object, atSeconds: number | string = nowSeconds()): Promise<Sent> {
  const body = JSON.stringify(report);
  const id = `msg_${newId()}`;
  return {
    body,
    headers: {
      "svix-id": id,
      "svix-timestamp": String(atSeconds),
      "svix-signature": await signatureOf(`${id}.${atSeconds}.${body}`),
    },
  };
}

const send = ({ body, headers }: Sent, settings: Settings = SETTINGS) =>
  call("POST", "/api/mail/events", {
    settings,
    headers: { ...headers, "Content-Type": "application/json" },
    body: encoder.encode(body),
  });

/** From https://resend.com/docs/webhooks/emails/bounced and …/complained */
const bounce = (address: string, type = "Permanent") => ({
  type: "email.bounced",
  created_at: "2026-11-22T23:41:12.126Z",
  data: {
    broadcast_id: "8b146471-e88e-4322-86af-016cd36fd216",
    created_at: "2026-11-22T23:41:11.894Z",
    email_id: "56761188-7520-42d8-8898-ff6fc54ce618",
    from: "Creative Packs <mail@packs.example>",
    to: [address],
    subject: "Confirm your address",
    bounce: { message: "The recipient's address does not exist.", subType: "Suppressed", type },
    tags: { category: "confirm" },
  },
});
const complaint = (address: string) => ({
  ...bounce(address),
  type: "email.complained",
});

const newAddress = () => `${newId()}@example.com`;
const reasonOf = (address: string) =>
  selectValue<string>`SELECT reason FROM mail_suppressions WHERE address = ${address}`;

describe("a signed report", () => {
  it.each([
    ["of a permanent bounce", bounce, "bounced"],
    ["of a complaint", complaint, "complained"],
  ])("%s suppresses the address, however often it arrives", async (_, report, reason) => {
    const address = newAddress();
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await send(await signed(report(address.toUpperCase())));
      expect([status, body.data]).toEqual([200, { outcome: "suppressed" }]);
    }
    expect(await reasonOf(address)).toBe(reason);
  });

  it.each([
    ["of a temporary bounce", bounce(newAddress(), "Transient")],
    ["of an undetermined bounce", bounce(newAddress(), "Undetermined")],
    ["of a delivery", { ...bounce(newAddress()), type: "email.delivered" }],
    ["of an unknown shape", { type: "email.bounced", data: null }],
  ])("%s changes nothing", async (_, report) => {
    const before = await selectValue<number>`SELECT COUNT(*) FROM mail_suppressions`;
    const { status, body } = await send(await signed(report));
    expect([status, body.data]).toEqual([200, { outcome: "ignored" }]);
    expect(await selectValue<number>`SELECT COUNT(*) FROM mail_suppressions`).toBe(before);
  });

  it("is accepted if one of its signatures is valid, as during rotation of the secret", async () => {
    const address = newAddress();
    const sent = await signed(bounce(address));
    const both = `${await signatureOf("x", OTHER_KEY)} ${sent.headers["svix-signature"]}`;
    expect((await send({ ...sent, headers: { ...sent.headers, "svix-signature": both } })).status).toBe(200);
    expect(await reasonOf(address)).toBe("bounced");
  });
});

describe("any other request", () => {
  const FORGERIES: readonly (readonly [string, (sent: Sent) => Promise<Sent> | Sent])[] = [
    ["without a signature", (sent) => ({ ...sent, headers: { ...sent.headers, "svix-signature": "" } })],
    ["without headers", (sent) => ({ ...sent, headers: {} })],
    ["with another body", (sent) => ({ ...sent, body: `${sent.body} ` })],
    ["with another id", (sent) => ({ ...sent, headers: { ...sent.headers, "svix-id": "msg_2" } })],
    [
      "with another time",
      (sent) => ({
        ...sent,
        headers: { ...sent.headers, "svix-timestamp": String(nowSeconds() - 1) },
      }),
    ],
    [
      "of another secret",
      async ({ body, headers }) => {
        const text = `${headers["svix-id"]}.${headers["svix-timestamp"]}.${body}`;
        return { body, headers: { ...headers, "svix-signature": await signatureOf(text, OTHER_KEY) } };
      },
    ],
    [
      "of another version",
      (sent) => ({
        ...sent,
        headers: {
          ...sent.headers,
          "svix-signature": (sent.headers["svix-signature"] ?? "").replace("v1,", "v2,"),
        },
      }),
    ],
    [
      "with invalid base64",
      (sent) => ({ ...sent, headers: { ...sent.headers, "svix-signature": "v1,%%%" } }),
    ],
  ];

  it.each(FORGERIES)("%s is refused, and changes nothing", async (_, forge) => {
    const address = newAddress();
    const { status, body } = await send(await forge(await signed(bounce(address))));
    expect([status, body.error.code]).toEqual([400, "SIGNATURE_INVALID"]);
    expect(await reasonOf(address)).toBeNull();
  });

  it.each([
    ["six minutes ago", () => nowSeconds() - 360],
    ["in six minutes", () => nowSeconds() + 360],
    ["at an impossible time", () => "1e99"],
    ["at an empty time", () => ""],
  ])("signed %s is refused", async (_, at) => {
    const { status, body } = await send(await signed(bounce(newAddress()), at()));
    expect([status, body.error.code]).toEqual([400, "SIGNATURE_INVALID"]);
  });
});

it.each([
  ["without mail", {}, "MAIL_FROM"],
  ["without a secret", MAIL, "MAIL_WEBHOOK_SECRET"],
])("%s a report is 501", async (_, settings, name) => {
  const { status, body } = await send(await signed(bounce(newAddress())), settings);
  expect([status, body.error.code]).toEqual([501, "SERVICE_NOT_CONFIGURED"]);
  expect(body.error.details.settings).toContain(name);
});
