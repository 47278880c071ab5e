import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { AuditType } from "#api/audit-types.ts";
import { addMember, createAccount, ORIGIN } from "../support/accounts.ts";
import { selectValue } from "../support/database.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { createWorkspace } from "../support/workspace.ts";
import { freshStorage } from "./fresh-storage.ts";
import { CRASH_KINDS } from "./gate.ts";
import { type Reply, World } from "./world.ts";

/** A crash never leaves a change without its audit event, nor an event without its change. */

beforeAll(freshStorage);
afterEach(() => {
  vi.restoreAllMocks();
});

const TIMEOUT_MS = 300_000;
const HOOK = { kind: "webhook", url: "https://hooks.customer.example/packs", events: ["job.failed"] };

/** An owner, a member, a key with a child key, a destination and an invitation. */
async function arrange(world: World) {
  const { workspaceId, secret } = await createWorkspace({ credits: 5 });
  const [owner, member, guest] = [await createAccount(), await createAccount(), await createAccount()];
  await addMember(workspaceId, owner.accountId, "owner");
  await addMember(workspaceId, member.accountId, "member");
  const asKey = (method: string, path: string, body?: object): Promise<Reply> =>
    world.request({ method, path: `/api/v1/${path}`, secret, ...(body && { body }) });
  const as = ({ cookie }: { readonly cookie: string }, path: string, body?: object): Promise<Reply> =>
    world.request({
      ...{ method: "POST", path: `/api/account/${path}`, ...(body && { body }) },
      headers: { Origin: ORIGIN, Cookie: cookie },
    });
  const inside = `workspaces/${workspaceId}`;
  const made = await asKey("POST", "api-keys", { name: "Child", scopes: ["api-keys:write"] });
  const { destination } = (await asKey("POST", "destinations", HOOK)).body.data;
  const invitation = (await as(owner, `${inside}/invitations`)).body.data;
  const key: string = made.body.data.apiKeyId;
  const saved: string = destination.destinationId;
  return { workspaceId, asKey, as, inside, owner, member, guest, invitation, key, saved };
}
type Arranged = Awaited<ReturnType<typeof arrange>>;

const ACTS: Readonly<Record<string, (arranged: Arranged) => Promise<Reply>>> = {
  "a key is created": ({ asKey }) => asKey("POST", "api-keys", { name: "New", scopes: ["jobs:read"] }),
  "a key is revoked": ({ asKey, key }) => asKey("DELETE", `api-keys/${key}?cascade=true`),
  "a destination is saved": ({ asKey }) => asKey("POST", "destinations", { ...HOOK, url: `${HOOK.url}/2` }),
  "a destination is removed": ({ asKey, saved }) => asKey("DELETE", `destinations/${saved}`),
  "a user is invited": ({ as, owner, inside }) => as(owner, `${inside}/invitations`),
  "an invitation is withdrawn": ({ as, owner, inside, invitation }) =>
    as(owner, `${inside}/invitations/${invitation.invitationId}/withdraw`),
  "an invitation is accepted": ({ as, guest, invitation }) =>
    as(guest, "invitations/accept", { code: invitation.code }),
  "a member is removed": ({ as, owner, inside, member }) =>
    as(owner, `${inside}/members/${member.accountId}/remove`),
};

/** Counts the workspace's rows, and the rows that its audit log describes. */
async function booksOf(workspaceId: string) {
  const eventsOf = async (...types: readonly AuditType[]): Promise<number> => {
    const named = JSON.stringify(types);
    const home = await selectValue<number>`SELECT COUNT(*) FROM audit_events
      WHERE workspace_id = ${workspaceId} AND type IN (SELECT value FROM json_each(${named}))`;
    const people = await selectValue<number>`SELECT COUNT(*) FROM member_events
      WHERE workspace_id = ${workspaceId} AND type IN (SELECT value FROM json_each(${named}))`;
    return Number(home) + Number(people);
  };
  const rows = [
    await selectValue`SELECT COUNT(*) FROM api_keys WHERE workspace_id = ${workspaceId}`,
    await selectValue`SELECT COUNT(*) FROM api_keys WHERE workspace_id = ${workspaceId} AND revoked_at IS NOT NULL`,
    await selectValue`SELECT COUNT(*) FROM destinations WHERE workspace_id = ${workspaceId}`,
    await selectValue`SELECT COUNT(*) FROM destinations WHERE workspace_id = ${workspaceId} AND deleted_at IS NOT NULL`,
    await selectValue`SELECT COUNT(*) FROM workspace_invitations WHERE workspace_id = ${workspaceId}`,
    await selectValue`SELECT COUNT(*) FROM workspace_members WHERE workspace_id = ${workspaceId} AND role = 'member'`,
  ];
  const joined = await eventsOf("member.joined");
  const logged = [
    await eventsOf("key.created"),
    await eventsOf("key.revoked"),
    await eventsOf("destination.created"),
    await eventsOf("destination.removed"),
    (await eventsOf("member.invited")) - (await eventsOf("member.invitation_withdrawn")) - joined,
    // One member was added without an invitation.
    1 + joined - (await eventsOf("member.removed", "member.left")),
  ];
  return { rows, logged };
}

it.each(Object.entries(ACTS))(
  "%s together with its audit event, or not at all, despite a crash at any step",
  async (_, act) => {
    silenceLogs();
    const undisturbed = new World(Date.now());
    const first = await arrange(undisturbed);
    undisturbed.restart();
    expect((await act(first)).status).toBeLessThan(300);
    const { calls } = undisturbed;
    expect(calls.length).toBeGreaterThan(2);
    for (const step of calls.keys()) {
      for (const kind of CRASH_KINDS) {
        const world = new World(Date.now());
        const arranged = await arrange(world);
        world.crash({ step, kind });
        await act(arranged);
        world.restart();
        const place = `${kind} at ${step}, ${calls[step]}`;
        const cut = await booksOf(arranged.workspaceId);
        expect(cut.logged, place).toEqual(cut.rows);
        await act(arranged);
        const again = await booksOf(arranged.workspaceId);
        expect(again.logged, `again after ${place}`).toEqual(again.rows);
      }
    }
  },
  TIMEOUT_MS,
);
