import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OutgoingMail } from "#domains/mail/provider.ts";
import { sendByHttp } from "#domains/mail/send-by-http.ts";
import { newId } from "#platform/ids.ts";
import { type LocalMail, startMail } from "../../scripts/run/emulators/mail.ts";
import { serve } from "../../scripts/run/receivers/serve.ts";

const NOW_MS = Date.UTC(2026, 10, 2);

const newMail = (changes: Partial<OutgoingMail> = {}): OutgoingMail => ({
  messageId: newId(),
  from: "Creative Packs <mail@packs.example>",
  to: `${newId()}@example.com`,
  subject: "Grüße & “Anzeigen”",
  text: "Zeile eins\nZeile zwei 🎉",
  html: "<p>Zeile eins<br/>Zeile zwei 🎉</p>",
  ...changes,
});

const send = (origin: string, mail: OutgoingMail, apiKey = "re_local") =>
  sendByHttp({ apiKey, origin }, mail, NOW_MS);

describe("the emulated provider", () => {
  let provider: LocalMail;
  beforeAll(async () => {
    provider = await startMail();
  });
  afterAll(() => provider.stop());

  const mailsTo = async (address: string) => (await provider.sent()).filter(({ to }) => to.includes(address));

  it("gets all parts of a mail, in any script", async () => {
    const mail = newMail();
    expect(await send(provider.origin, mail)).toEqual({ kind: "sent" });
    const { from, to, subject, text, html } = mail;
    expect(await mailsTo(to)).toMatchObject([{ from, to: [to], subject, text, html }]);
  });

  it("sends one mail per id, even for concurrent requests", async () => {
    const mail = newMail();
    const results = await Promise.all(Array.from({ length: 5 }, () => send(provider.origin, mail)));
    await send(provider.origin, mail);
    expect(results.some(({ kind }) => kind === "sent")).toBe(true);
    expect(await mailsTo(mail.to)).toHaveLength(1);
  });

  it("accepts a repeated id whose text has changed", async () => {
    const mail = newMail();
    await send(provider.origin, mail);
    expect(await send(provider.origin, { ...mail, text: "Other words" })).toEqual({ kind: "sent" });
    expect(await mailsTo(mail.to)).toHaveLength(1);
  });
});

describe("a mail server", () => {
  it.each([
    [500, {}, { kind: "unavailable", retryAfterSeconds: null }],
    [429, { "Retry-After": "7" }, { kind: "unavailable", retryAfterSeconds: 7 }],
    [403, {}, { kind: "unavailable", retryAfterSeconds: null }],
    [422, {}, { kind: "refused" }],
    [302, { Location: "/elsewhere" }, { kind: "refused" }],
  ])("that answers %i has refused the mail or is unavailable", async (status, headers, result) => {
    let requestCount = 0;
    const server = await serve(async () => {
      requestCount += 1;
      // A body longer than the client reads.
      return new Response("x".repeat(1_000_000), { status, headers });
    });
    expect(await send(server.origin, newMail())).toEqual(result);
    expect(requestCount).toBe(1);
    await server.close();
  });

  it("that disconnects, or is absent, is unavailable", async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    expect(await send(origin, newMail())).toMatchObject({ kind: "unavailable" });
    server.close();
    await once(server, "close");
    expect(await send(origin, newMail())).toMatchObject({ kind: "unavailable" });
  });
});
