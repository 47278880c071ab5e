import { describe, expect, it } from "vitest";
import { seedKey, seedWorkspace } from "../support/arrange.ts";
import { type Answer, send } from "../support/client.ts";
import type { Harness } from "../support/harness.ts";
import { OPERATIONS } from "../support/openapi.ts";
import { type Person, seedPerson, sendAs } from "../support/people.ts";

/** Rules of all lists, tested on each list of the OpenAPI document. */

/** Paths of the paged lists. */
const PAGED = OPERATIONS.filter(({ parameters }) => parameters?.some(({ name }) => name === "limit")).map(
  ({ path }) => path,
);

/** Number formats that programming languages accept and the API does not, and numbers out of bounds. */
const INVALID_LIMITS = [
  ..."0x10 0b11 0o7 1e1 1E1 1.0 10. .5 %2B1 +1 -1 01 1_0 1n %201 1%20 %0A1 %EF%BC%91 %D9%A1".split(" "),
  ...["Infinity", "NaN", "null", "true", "ten", "", "[1]", "0", "101", "1".repeat(400)],
];

/** Invalid cursors. */
const INVALID_CURSORS = "yesterday 0x10 1e3 %2B1 -1 2026-06-18 2026-06-18T12:00:00 1781784000.5 ".split(" ");

export const lists = (harness: Harness): void => {
  const { service } = harness;
  describe("API §4.10 lists", () => {
    let person: Person | undefined;
    const ask = async (path: string, query: string): Promise<Answer> => {
      if (!path.startsWith("/api/account/")) {
        return send(service, "GET", `${path}?${query}`, { key: harness.rich.key });
      }
      person ??= await seedPerson(service);
      const own = path.replace("{workspaceId}", person.workspaceId);
      return sendAs(service, person, "GET", `${own}?${query}`);
    };

    it("API §4.10 every list of a workspace's resources is paged", () => {
      const resources = ["assets", "brands", "jobs", "usage", "api-keys"];
      for (const resource of resources) expect(PAGED).toContain(`/api/v1/${resource}`);
      for (const resource of ["jobs", "usage", "api-keys", "artifacts", "deliveries"]) {
        expect(PAGED).toContain(`/api/account/workspaces/{workspaceId}/${resource}`);
      }
    });

    it.each(PAGED)("API §4.10 GET %s: limit is 1 to 100 in digits, otherwise 400", async (path) => {
      for (const limit of INVALID_LIMITS) {
        const answer = await ask(path, `limit=${limit}`);
        expect([answer.status, answer.body.error?.code], limit).toEqual([400, "INVALID_REQUEST"]);
        expect(answer.body.error.message).toBe("limit: must be a whole number from 1 to 100, in digits");
      }
      for (const limit of ["1", "10", "100"]) expect((await ask(path, `limit=${limit}`)).status).toBe(200);
      expect((await ask(path, "limit=1&limit=2")).status).toBe(400);
    });

    it.each(PAGED)("API §4.10 GET %s: before is a cursor from the list, otherwise 400", async (path) => {
      for (const before of INVALID_CURSORS) {
        const answer = await ask(path, `before=${before}`);
        expect([answer.status, answer.body.error?.code], before).toEqual([400, "INVALID_CURSOR"]);
      }
    });

    it("API §4.10, §4.18 GET /api-keys pages through every key once, newest first, like a session's list", async () => {
      const owner = await seedPerson(service);
      const { workspaceId } = owner;
      const keys = [];
      for (let at = 0; at < 5; at += 1) keys.push(await seedKey(service, workspaceId, {}));
      const [first] = keys;
      const lists = [
        (query: string) => send(service, "GET", `/api/v1/api-keys?${query}`, { key: first?.key ?? "" }),
        (query: string) =>
          sendAs(service, owner, "GET", `/api/account/workspaces/${workspaceId}/api-keys?${query}`),
      ];
      for (const list of lists) {
        const seen: string[] = [];
        let cursor = "";
        for (let page = 0; page < 3; page += 1) {
          const { body } = await list(`limit=2${cursor}`);
          seen.push(...body.data.items.map(({ apiKeyId }: { apiKeyId: string }) => apiKeyId));
          expect(body.data.nextBefore === null).toBe(page === 2);
          cursor = `&before=${body.data.nextBefore}`;
        }
        expect(seen).toEqual(keys.map(({ apiKeyId }) => apiKeyId).reverse());
      }
    });

    it("API §5.11 POST /api-keys 409: the 101st active key, by key and by session", async () => {
      const { workspaceId, key } = await seedWorkspace(service, { credits: 1 });
      const owner = await seedPerson(service);
      for (const id of [workspaceId, owner.workspaceId]) {
        const keysMade = id === workspaceId ? 99 : 100;
        const numbers = JSON.stringify(Array.from({ length: keysMade }, (_, at) => at));
        const fill = service.db.prepare(
          `INSERT INTO api_keys (api_key_id, workspace_id, name, prefix, secret_hash, scopes, created_at)
           SELECT printf('00000000-0000-7000-8%03d-', value) || substr(?1, -12), ?1, 'Filler', '', ?1 || value, '[]', 1
           FROM json_each(?2)`,
        );
        await fill.bind(id, numbers).run();
      }
      const json = { name: "one more", scopes: ["balance:read"] };
      const byKey = () => send(service, "POST", "/api/v1/api-keys", { key, json });
      const path = `/api/account/workspaces/${owner.workspaceId}/api-keys`;
      const bySession = () => sendAs(service, owner, "POST", path, { json });
      for (const create of [byKey, bySession]) {
        const refused = await create();
        expect([refused.status, refused.body.error?.code]).toEqual([409, "API_KEY_LIMIT_REACHED"]);
        expect(refused.body.error.message).toContain("100");
      }
    });
  });
};
