import { createHmac, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Answer, send } from "../support/client.ts";
import { type Harness, MAIL_WEBHOOK_SECRET } from "../support/harness.ts";
import type { Service } from "../support/service.ts";

/** Reports of the mail provider, signed by Svix: https://docs.svix.com/receiving/verifying-payloads/how-manual */
export const mailReports = (harness: Harness): void => {
  const { service } = harness;
  const report = (address: string, type = "Permanent") => ({
    type: "email.bounced",
    data: { to: [address], bounce: { type, subType: "General", message: "No such mailbox." } },
  });

  const post = (service: Service, content: object, ageSeconds = 0): Promise<Answer> => {
    const body = JSON.stringify(content);
    const [id, timestamp] = [`msg_${randomUUID()}`, Math.floor(Date.now() / 1_000) - ageSeconds];
    const key = Buffer.from(MAIL_WEBHOOK_SECRET.replace("whsec_", ""), "base64");
    const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
    return send(service, "POST", "/api/mail/events", {
      headers: {
        "Content-Type": "application/json",
        "svix-id": id,
        "svix-timestamp": String(timestamp),
        "svix-signature": `v1,${signature}`,
      },
      bytes: new TextEncoder().encode(body),
    });
  };

  const isSuppressed = async (address: string): Promise<boolean> =>
    (await service.db.prepare("SELECT 1 FROM mail_suppressions WHERE address = ?1").bind(address).first()) !==
    null;

  describe("API §20.3 POST /mail/events", () => {
    it("API §20.3 200: a permanent bounce suppresses its address, a temporary one does not", async () => {
      const [gone, full] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`];
      const answers = [await post(service, report(gone)), await post(service, report(full, "Transient"))];
      expect(answers.map(({ status, body }) => [status, body.data.outcome])).toEqual([
        [200, "suppressed"],
        [200, "ignored"],
      ]);
      expect([await isSuppressed(gone), await isSuppressed(full)]).toEqual([true, false]);
    });

    it("API §20.3 400 SIGNATURE_INVALID: signed too long ago, or unsigned", async () => {
      const address = `${randomUUID()}@example.com`;
      const old = await post(service, report(address), 301);
      const bare = await send(service, "POST", "/api/mail/events", { json: report(address) });
      for (const { status, body } of [old, bare]) {
        expect([status, body.error.code]).toEqual([400, "SIGNATURE_INVALID"]);
      }
      expect(await isSuppressed(address)).toBe(false);
    });

    it("API §20.3 413 for a too large body, 500 without tables, 501 without a database", async () => {
      const large = { ...report("ada@example.com"), more: "x".repeat(70_000) };
      expect((await post(service, large)).status).toBe(413);
      expect((await post(harness.broken, report("ada@example.com"))).status).toBe(500);
      const { status, body } = await post(harness.bare, report("ada@example.com"));
      expect([status, body.error.code]).toEqual([501, "SERVICE_NOT_CONFIGURED"]);
    });
  });
};
