import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { newId } from "#platform/ids.ts";
import { parseLine, secretsIn } from "../logs/secrets-in-text.ts";
import { callAs, cookieOf, fromOwnNetwork, signIn, signUp } from "../support/accounts.ts";
import { keepPrintedTexts } from "../support/printed-texts.ts";

const printed = keepPrintedTexts();
it("address, name, password, cookie, token, code, network and our secret never appear in the log", async () => {
  const email = `${newId()}@accounts.example`;
  const password = "a password of nobody else";
  const network = fromOwnNetwork();
  await signUp(email, password, network);
  await signUp(email, password);
  await signIn(email, "not the password");
  await signIn(`x${email}`, password);
  const cookie = cookieOf(await signIn(email, password, network));
  const person = { cookie };
  const { workspaceId } = (await callAs(person, "GET", "/api/account/workspaces")).body.data.items[0];
  const base = `/api/account/workspaces/${workspaceId}`;
  const key = await callAs(person, "POST", `${base}/api-keys`, {
    body: { name: "Name of a secret project", scopes: ["balance:read"] },
  });
  const { code } = (await callAs(person, "POST", `${base}/invitations`)).body.data;
  await callAs(person, "POST", "/api/account/invitations/accept", { body: { code } });
  for (const requestId of [code, email, decodeURIComponent(cookie.split("=")[1] ?? "")]) {
    await callAs(person, "GET", "/api/account/session", { headers: { "X-Request-ID": requestId } });
  }
  await callAs({ cookie: `${cookie}x` }, "GET", "/api/account/session");
  vi.spyOn(env.DB, "withSession").mockImplementation(() => {
    throw new Error(`D1_ERROR: SELECT * FROM accounts WHERE email = '${email}'`);
  });
  expect((await callAs(person, "GET", "/api/account/session")).status).toBe(500);
  expect((await signIn(email, password)).status).toBe(500);
  vi.mocked(env.DB.withSession).mockRestore();
  expect((await callAs(person, "POST", "/api/account/sign-out")).status).toBe(200);

  const [token = "", signature = ""] = decodeURIComponent(cookie.split("=")[1] ?? "").split(".");
  const known = [
    ...[email, email.split("@")[0] ?? "", "Ada", password, "not the password", "secret project"],
    ...[cookie, token, signature, code, key.body.data.secret, network["CF-Connecting-IP"] ?? ""],
    ...[env.AUTH_SECRET ?? "", env.OAUTH_GITHUB_CLIENT_SECRET ?? ""],
  ];
  expect(known.every((text) => text.length > 2)).toBe(true);
  expect(printed.texts.length).toBeGreaterThan(12);
  for (const line of printed.texts) {
    expect(secretsIn(line, known), line).toEqual([]);
    expect(parseLine(line), line).not.toBeNull();
  }
});
