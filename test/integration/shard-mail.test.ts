import { expect, it } from "vitest";
import { mailStatement } from "#domains/mail/outbox.ts";
import { execute } from "../support/database.ts";
import { consumeMail, MAIL_ENV, newAddressMail, standInProvider } from "../support/mail-provider.ts";
import { shardDatabase, withShards } from "../support/shards.ts";

it("API §20.3 mail of a shard is not sent to an address that DB suppresses", async () => {
  const settings = { ...MAIL_ENV, ...(await withShards()) };
  const provider = standInProvider();
  const shard = shardDatabase("01");
  const send = async (isSuppressed: boolean) => {
    const mail = newAddressMail();
    await mailStatement(shard, mail).run();
    if (isSuppressed) await execute`INSERT INTO mail_suppressions VALUES (${mail.address}, 'bounced', 1)`;
    const row = () =>
      shard
        .prepare("SELECT message_id AS id, status FROM mail_messages WHERE reference = ?1")
        .bind(mail.reference)
        .first<{ id: string; status: string }>();
    expect(await consumeMail((await row())?.id ?? "", { settings, shard: "01" })).toBe("acknowledged");
    return (await row())?.status;
  };
  expect(await send(true)).toBe("suppressed");
  expect(provider.requests).toHaveLength(0);
  expect(await send(false)).toBe("sent");
});
