import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { LIMITS } from "#api/limits.ts";
import { allow, BACK, queryOf, readRequest, registerClient, VERIFIER } from "../support/agents.ts";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import type { Harness } from "../support/harness.ts";
import { seedPerson, sendAs } from "../support/people.ts";

/** Agents that an account connects by OAuth. */
export const agents = ({ service, rich }: Harness): void => {
  describe("API §10.15, §10.16 accounts: agents", () => {
    it("API §10.15 reading an authorization request is 200; an unknown client or redirect_uri is 422, a malformed body 400", async () => {
      const [person, clientId] = [await seedPerson(service), await registerClient(service)];
      const read = await readRequest(service, person, queryOf(service, clientId));
      expect(read.status).toBe(200);
      expectRateLimitHeaders(read);
      expect(read.body.data).toMatchObject({ name: "Example agent", host: null, error: null });
      for (const changes of [{ client_id: "other" }, { redirect_uri: `${BACK}/other` }]) {
        const refused = await readRequest(service, person, queryOf(service, clientId, changes));
        expect([refused.status, refused.body.error.code]).toEqual([422, "AGENT_REFUSED"]);
      }
      expect((await readRequest(service, person, "")).status).toBe(400);
    });

    it("API §10.16, §17.15 allowing an authorization request is 201 with a code for tokens; an agent beyond the limit is 409", async () => {
      const [person, clientId] = [await seedPerson(service), await registerClient(service)];
      const query = queryOf(service, clientId);
      const allowed = await allow(service, person, query);
      expect(allowed.status).toBe(201);
      expectRateLimitHeaders(allowed);
      const code = new URL(allowed.body.data.redirectTo).searchParams.get("code") ?? "";
      const form = new URLSearchParams({
        ...{ grant_type: "authorization_code", code, client_id: clientId, redirect_uri: BACK },
        code_verifier: VERIFIER,
      });
      const given = await fetch(new URL("/oauth/token", service.origin), { method: "POST", body: form });
      expect([given.status, given.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
      const { access_token: key } = z.object({ access_token: z.string() }).parse(await given.json());
      expect((await send(service, "GET", "/api/v1/balance", { key })).status).toBe(401);
      const faulty = queryOf(service, clientId, { code_challenge_method: "plain" });
      expect((await allow(service, person, faulty)).status).toBe(422);
      for (const workspaceId of [rich.workspaceId, randomUUID()]) {
        expect((await allow(service, person, query, workspaceId)).status).toBe(404);
      }
      const path = `/api/account/workspaces/${person.workspaceId}/agents`;
      expect((await sendAs(service, person, "POST", path, { json: {} })).status).toBe(400);
      for (let made = 1; made < LIMITS.agentsPerMemberMax; made += 1) await allow(service, person, query);
      const full = await allow(service, person, query);
      expect([full.status, full.body.error.code]).toEqual([409, "API_KEY_LIMIT_REACHED"]);
    });
  });
};
