import { afterAll, beforeAll, expect, it } from "vitest";
import { readInvocation } from "../../scripts/operate/workspace/command-line.ts";
import { allowMail, reportMailAllowed } from "../../scripts/operate/workspace/mail-commands.ts";
import { type OpenOperatorDatabase, openOperatorDatabase } from "../support/operator-database.ts";

const NOW_MS = Date.parse("2026-06-18T12:00:00.000Z");
let opened: OpenOperatorDatabase;

beforeAll(async () => {
  opened = await openOperatorDatabase(NOW_MS);
}, 60_000);
afterAll(() => opened.close());

it("allow-mail lifts the suppression of one address, in upper or lower case", async () => {
  const { db } = opened.operator;
  await db
    .prepare(
      "INSERT INTO mail_suppressions VALUES ('ada@a.example', 'bounced', ?1), ('eve@a.example', 'complained', 2)",
    )
    .bind(NOW_MS)
    .run();
  const person = { email: "Ada@A.example" };
  expect(readInvocation(["allow-mail", "--email", person.email]).command).toMatchObject(person);
  const allowed = await allowMail(opened.operator, person);
  expect(allowed).toEqual({
    email: "ada@a.example",
    reason: "bounced",
    suppressedAt: "2026-06-18T12:00:00.000Z",
  });
  expect(reportMailAllowed(allowed)).toContain("It is sent mail again.");
  await expect(allowMail(opened.operator, person)).rejects.toThrow("is not suppressed");
  expect(await db.prepare("SELECT address FROM mail_suppressions").all()).toMatchObject({
    results: [{ address: "eve@a.example" }],
  });
});
