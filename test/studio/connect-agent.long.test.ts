import { expect } from "vitest";
import { BACK, queryOf, registerClient } from "../conformance/support/agents.ts";
import { studio, test } from "./support/shared-studio.ts";
import { signUpOnPage } from "./support/sign-up.ts";
import { openSignedIn, openVisitor, pageFaults } from "./support/studio.ts";

/** A value that the router would parse as a number. */
const STATE = "0012345678901234567890";

const addressOf = async (changes = {}): Promise<string> =>
  `/connect?${queryOf(studio.service, await registerClient(studio.service), { state: STATE, ...changes })}`;

test("a visitor signs up, connects the agent with a budget, and disconnects it", async () => {
  const visitor = await openVisitor(studio);
  const { page } = visitor;
  await page.route(`${BACK}?*`, (route) => route.fulfill({ body: "back" }));
  const opened = await page.goto(await addressOf());
  expect(opened?.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
  await page.getByRole("link", { name: "Create an account" }).first().click();
  await signUpOnPage(page, "Grace", "grace@accounts.example");

  await page.getByRole("heading", { name: "Connect an agent" }).waitFor();
  await page.getByText("Example agent").waitFor();
  await page.getByText("This name is not verified.").waitFor();
  await page.getByText("You are sent back to 127.0.0.1.").waitFor();
  await page.getByText("order packs (spends credits)").waitFor();
  await page.getByLabel("Credits a month (optional)").fill("40");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${BACK}?*`);
  const answer = new URL(page.url()).searchParams;
  expect([answer.get("state"), answer.get("code")]).toEqual([STATE, expect.stringMatching(/^cpk_code_/)]);

  const token = new URLSearchParams({
    ...{ grant_type: "authorization_code", code: answer.get("code") ?? "", redirect_uri: BACK },
    ...{ client_id: await registerClient(studio.service), code_verifier: "v".repeat(43) },
  });
  await fetch(`${studio.service.origin}/oauth/token`, { method: "POST", body: token });
  await page.goto("/");
  await page.waitForURL(/\/w\//);
  await page.goto(page.url().replace(/\/create.*/, "/keys"));
  const row = page.getByRole("row", { name: /Example agent/ });
  await row.getByText("0 of 40 this month").waitFor();
  await row.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click();
  await row.getByText("revoked").waitFor();
  // Only this redirect to the agent is allowed.
  expect(pageFaults(visitor)).toEqual(["request to http://127.0.0.1"]);
});

test("denied and invalid requests are reported to the agent, but never to an unregistered redirect URI", async () => {
  const { page } = await openSignedIn(studio, 0, { locale: "de-DE" });
  await page.route(`${BACK}?*`, (route) => route.fulfill({ body: "back" }));
  await page.goto(await addressOf());
  await page.getByRole("link", { name: "Ablehnen" }).click();
  await page.waitForURL(`${BACK}?*`);
  expect(new URL(page.url()).searchParams.get("error")).toBe("access_denied");

  await page.goto(await addressOf({ response_type: "token" }));
  await page.getByRole("link", { name: "Zurück zu 127.0.0.1" }).click();
  await page.waitForURL(`${BACK}?*`);
  expect(new URL(page.url()).searchParams.get("error")).toBe("unsupported_response_type");

  await page.goto(await addressOf({ redirect_uri: "https://evil.example/" }));
  await page.getByText("Diese Anfrage passt nicht zur Registrierung des Agenten").waitFor();
  expect(await page.getByRole("link", { name: /evil/ }).count()).toBe(0);
});
