import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { CLIENT_WINDOWS, LIMITS } from "#api/limits.ts";
import { ownShareCommentSchema, sharedPackSchema } from "#api/schemas/share.ts";
import { expireArtifacts } from "#domains/artifacts/retention-sweep.ts";
import { commentsOfShare, deleteOldShares } from "#domains/shares/store.ts";
import { firstFile, type ReadyPack, readyPack, storedObject } from "../support/artifacts.ts";
import { savedBrand } from "../support/brands.ts";
import { execute, selectValue } from "../support/database.ts";
import { refusalOf } from "../support/refusals.ts";
import {
  type HeldShare,
  listShares,
  picture,
  readComments,
  revoke,
  say,
  shareOf,
  visit,
} from "../support/shares.ts";
import { type Answer, call } from "../support/workspace.ts";

const DAY_MS = 86_400_000;

const verdictOn = (verdict: "approved" | "changes-requested") => [
  { fileId: firstFile(pack).fileId, verdict },
];

/** A member's request about a link. */
const ask = (
  method: string,
  { artifactId, client }: ReadyPack,
  { share }: HeldShare,
  tail: string,
  body: object,
) =>
  call(method, `/api/v1/artifacts/${artifactId}/shares/${share.shareId}${tail}`, {
    secret: client.secret,
    body,
  });

let pack: ReadyPack;
beforeAll(async () => {
  pack = await readyPack();
});

describe("a share link", () => {
  it("API §18.1 is the URL of a page, expires with the files, and is listed with its verdict and comments", async () => {
    const held = await shareOf(pack, { name: "First round" });
    expect(held.share).toMatchObject({ name: "First round", status: "open", verdict: null, commentCount: 0 });
    expect(held.share.url).toBe(`https://packs.example/review/${held.token}`);
    expect(held.share.expiresAt).toBe(pack.manifest.manifest.expiresAt);
    await say(held.token, { name: "Grace", text: "Nice." });
    await say(held.token, { name: "Grace", verdict: "changes-requested" });
    await say(held.token, { name: "Ada", verdict: "approved", text: "Good to go." });
    const [listed] = (await listShares(pack)).body.data.items;
    expect(listed).toMatchObject({ ...held.share, verdict: "approved", commentCount: 3 });
    // Nothing of the URL is stored.
    const rows = await env.DB.prepare("SELECT * FROM shares").all();
    expect(JSON.stringify(rows.results)).not.toContain(held.token.split(".")[2]);
  });

  it("API §18.1 may expire earlier than its files, but not later, and not in the past", async () => {
    const soon = new Date(Date.now() + DAY_MS).toISOString();
    expect((await shareOf(pack, { expiresAt: soon })).share.expiresAt).toBe(soon);
    const late = new Date(Date.now() + 400 * DAY_MS).toISOString();
    expect((await shareOf(pack, { expiresAt: late })).share.expiresAt).toBe(pack.manifest.manifest.expiresAt);
    const path = `/api/v1/artifacts/${pack.artifactId}/shares`;
    const past = { secret: pack.client.secret, body: { expiresAt: "2020-01-01T00:00:00Z" } };
    expect(refusalOf(await call("POST", path, past))).toEqual([400, "INVALID_REQUEST"]);
  });

  it("API §18.1 is limited to fifty per pack", async () => {
    const full = await readyPack();
    await execute`WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 49)
      INSERT INTO shares (share_id, workspace_id, artifact_id, name, created_at, expires_at)
      SELECT ${full.artifactId} || n, ${full.client.workspaceId}, ${full.artifactId}, '', 1, 2 FROM number`;
    await shareOf(full);
    const path = `/api/v1/artifacts/${full.artifactId}/shares`;
    const more = await call("POST", path, { secret: full.client.secret, body: {} });
    expect(refusalOf(more)).toEqual([409, "SHARE_LIMIT_REACHED"]);
  });
});

describe("a visitor", () => {
  it("API §18.2 sees pictures, sender and comments, and nothing else about the workspace or its files", async () => {
    const { token } = await shareOf(pack, { name: "For Grace" });
    const fileId = firstFile(pack).fileId;
    await say(token, { name: "Grace", text: "Line one\r\nline two", fileId });
    const answer = await visit(token);
    expect(answer.body.data).toMatchObject({ dueAt: null, isClean: false, message: "", senderName: null });
    const shown = sharedPackSchema.strict().parse(answer.body.data);
    expect(shown.files.map(({ sizeId }) => sizeId)).toEqual(["iab-320x50", "iab-120x60"]);
    expect(shown.comments).toMatchObject([
      { name: "Grace", text: "Line one\nline two", fileId, verdict: null },
    ]);
    for (const hidden of [pack.client.workspaceId, pack.artifactId, "sha256", "fileName"]) {
      expect(JSON.stringify(answer.body.data)).not.toContain(hidden);
    }
  });

  it("API §18.3 gets a watermarked picture, drawn once, and never the file", async () => {
    const { token } = await shareOf(pack);
    const file = firstFile(pack);
    const puts = vi.spyOn(env.BUCKET, "put");
    const first = await picture(token, file.fileId);
    expect([first.status, first.headers.get("Content-Type")]).toEqual([200, "image/png"]);
    expect(first.headers.get("Cache-Control")).toBe("private, no-cache, no-transform");
    expect((await picture((await shareOf(pack)).token, file.fileId)).bytes).toEqual(first.bytes);
    expect(puts).toHaveBeenCalledTimes(1);
    puts.mockRestore();
    const { bytes } = await storedObject(pack, file.fileName);
    expect(first.bytes).not.toEqual(bytes);
    const etag = first.headers.get("ETag") ?? "";
    expect((await picture(token, file.fileId, { "If-None-Match": etag })).status).toBe(304);
    expect(refusalOf(await picture(token, pack.artifactId))).toEqual([404, "FILE_NOT_FOUND"]);
    const other = await readyPack();
    expect(refusalOf(await picture(token, firstFile(other).fileId))).toEqual([404, "FILE_NOT_FOUND"]);
  });

  it("API §18.4 sends a comment with a name and a plain text of limited length about a file of the pack", async () => {
    const { token } = await shareOf(pack);
    const said = await say(token, { name: " Grace ", text: "x".repeat(LIMITS.commentCharactersMax) });
    expect([said.status, said.body.data.name]).toEqual([201, "Grace"]);
    const wrong = [
      { text: "no name" },
      { name: "Grace" },
      { name: "Grace", text: "  " },
      { name: "Grace", text: "x".repeat(LIMITS.commentCharactersMax + 1) },
      { name: "x".repeat(LIMITS.visitorNameCharactersMax + 1), text: "long name" },
      { name: "Gra\u202ece", text: "turned" },
      { name: "Grace", text: "bell \u0007" },
      { name: "Grace", verdict: "maybe" },
      { name: "Grace", text: "Here", pin: { x: 0.5, y: 0.5 } },
      { name: "Grace", text: "Here", pin: { x: 1.1, y: 0.5 }, fileId: firstFile(pack).fileId },
      { name: "Grace", text: "To all", replyTo: said.body.data.commentId, verdict: "approved" },
      { name: "Grace", verdict: "approved", fileVerdicts: verdictOn("changes-requested") },
      { name: "Grace", text: "Hm.", fileVerdicts: verdictOn("approved") },
      {
        name: "Grace",
        verdict: "approved",
        fileVerdicts: [...verdictOn("approved"), ...verdictOn("approved")],
      },
    ];
    for (const body of wrong) {
      expect(refusalOf(await say(token, body)), JSON.stringify(body).slice(0, 60)).toEqual([
        400,
        "INVALID_REQUEST",
      ]);
    }
    const astray = await say(token, { name: "Grace", text: "Hm.", fileId: pack.artifactId });
    expect(refusalOf(astray)).toEqual([404, "FILE_NOT_FOUND"]);
  });

  it("API §18.4 may write at most twenty comments a minute", async () => {
    const held = await shareOf(pack);
    const network = { "CF-Connecting-IP": "2a02:1::1" };
    const answers: Answer[] = [];
    for (let nth = 0; nth < 21; nth += 1) {
      answers.push(await say(held.token, { name: "Grace", text: String(nth) }, network));
    }
    expect(refusalOf(answers.pop() as Answer)).toEqual([429, "RATE_LIMITED"]);
    expect(answers.every(({ status }) => status === 201)).toBe(true);
  });

  it("is refused without a read of the comments once the link has the maximum number", async () => {
    const full = await shareOf(pack);
    const { share, token } = full;
    await execute`WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 300)
      INSERT INTO share_comments (comment_id, share_id, name, text, created_at)
      SELECT ${share.shareId} || n, ${share.shareId}, 'x', 'x', 1 FROM number`;
    const open = env.DB.withSession.bind(env.DB);
    const prepared: string[] = [];
    const sessions = vi.spyOn(env.DB, "withSession").mockImplementation((constraint) => {
      const session = open(constraint);
      const prepare = (sql: string) => {
        prepared.push(sql);
        return session.prepare(sql);
      };
      return Object.assign(Object.create(session), { prepare, batch: session.batch.bind(session) });
    });
    expect(refusalOf(await say(token, { name: "Ada", text: "More" }))).toEqual([
      409,
      "COMMENT_LIMIT_REACHED",
    ]);
    sessions.mockRestore();
    expect(prepared.length).toBeGreaterThan(0);
    expect(prepared).not.toContain(commentsOfShare.sql);
    expect((await readComments(pack, full)).body.data.items).toHaveLength(300);
  });

  it("who comments causes one verification of the link per comment", async () => {
    const { share, token } = await shareOf(pack);
    const decoded = vi.spyOn(TextDecoder.prototype, "decode");
    expect((await say(token, { name: "Ada", text: "Nice." })).status).toBe(201);
    const fields = decoded.mock.results.filter(({ value }) =>
      String(value).startsWith(`["${share.shareId}"`),
    );
    decoded.mockRestore();
    expect(fields).toHaveLength(1);
  });
});

it("API §18.6 a visitor who writes too much is refused for the rest of the day, but only on that link", async () => {
  const [one, other] = [await shareOf(pack), await shareOf(pack)];
  const talker = { "CF-Connecting-IP": "2a02:2::1" };
  const named = vi.spyOn(env.RATE_LIMIT_WINDOW, "idFromName");
  expect((await say(one.token, { name: "Grace", text: "First" }, talker)).status).toBe(201);
  const name = named.mock.calls.flat().find((window) => window.startsWith("link-comments-site:"));
  if (name === undefined) throw new Error("the comment was not counted");
  const { limit, windowMs } = CLIENT_WINDOWS["link-comments-site"];
  const window = env.RATE_LIMIT_WINDOW.get(env.RATE_LIMIT_WINDOW.idFromName(name));
  for (let used = 1; used < limit; used += 1) {
    await window.count(limit, windowMs, Date.now());
  }
  // Another /64 in the same /48.
  const neighbour = { "CF-Connecting-IP": "2a02:2:0:1::2" };
  const refused = await say(one.token, { name: "Somebody else", text: "More" }, neighbour);
  expect(refusalOf(refused)).toEqual([429, "RATE_LIMITED"]);
  expect((await say(one.token, { name: "Ada", verdict: "approved" })).status).toBe(201);
  expect((await say(other.token, { name: "Grace", text: "Here" }, talker)).status).toBe(201);
  expect(limit * 5).toBeLessThanOrEqual(LIMITS.commentsPerShareMax);
});

describe("a review", () => {
  it("API §18.4, §18.8 has pins and replies from both sides; its comments are resolved by author or member", async () => {
    const held = await shareOf(pack);
    const { fileId } = firstFile(pack);
    const pin = { x: 0.25, y: 1 };
    const said = await say(held.token, { name: "Grace", text: "Too small", fileId, pin });
    const { commentId, commentToken, ...shown } = ownShareCommentSchema.strict().parse(said.body.data);
    expect(shown).toMatchObject({ fileId, pin, isMember: false, resolvedAt: null });
    const answered = await ask("POST", pack, held, "/comments", { text: "Larger now?", replyTo: commentId });
    expect([answered.status, answered.body.data.isMember]).toEqual([201, true]);
    const onReply = { name: "Grace", text: "Yes", replyTo: answered.body.data.commentId };
    expect(refusalOf(await say(held.token, onReply))).toEqual([404, "COMMENT_NOT_FOUND"]);
    const own = `/api/v1/shared/${held.token}/comments/${commentId}`;
    const resolve = (token: string, isResolved: boolean) =>
      call("PATCH", own, { body: { isResolved, commentToken: token } });
    const other = (await say(held.token, { name: "Ada", text: "Mine" })).body.data;
    expect(refusalOf(await resolve(other.commentToken, true))).toEqual([403, "LINK_INVALID"]);
    expect((await resolve(commentToken, true)).body.data.resolvedAt).not.toBeNull();
    const reopened = await ask("PATCH", pack, held, `/comments/${commentId}`, { isResolved: false });
    expect(reopened.body.data.resolvedAt).toBeNull();
    const foreign = await shareOf(pack);
    const astray = await ask("PATCH", pack, foreign, `/comments/${commentId}`, { isResolved: true });
    expect(refusalOf(astray)).toEqual([404, "COMMENT_NOT_FOUND"]);
    await revoke(pack, held);
    expect(refusalOf(await resolve(commentToken, true))).toEqual([403, "LINK_INVALID"]);
    const late = await ask("POST", pack, held, "/comments", { text: "Too late" });
    expect(refusalOf(late)).toEqual([403, "LINK_INVALID"]);
  });

  it("API §18.4 accepts verdicts on single sizes beside the pack's", async () => {
    const held = await shareOf(pack);
    const fileVerdicts = verdictOn("changes-requested");
    const said = await say(held.token, { name: "Grace", verdict: "changes-requested", fileVerdicts });
    expect([said.status, said.body.data.fileVerdicts]).toEqual([201, fileVerdicts]);
    const { data } = (await visit(held.token)).body;
    expect([data.verdict, data.comments[0].fileVerdicts]).toEqual(["changes-requested", fileVerdicts]);
    const astray = [{ fileId: pack.artifactId, verdict: "approved" }];
    const refused = await say(held.token, { name: "Grace", verdict: "approved", fileVerdicts: astray });
    expect(refusalOf(refused)).toEqual([404, "FILE_NOT_FOUND"]);
  });

  it("API §18.9 shows the delivered files without watermark on a clean link, with another ETag", async () => {
    const file = firstFile(pack);
    const held = await shareOf(pack, { isClean: true, message: "Look", dueAt: "2099-01-01T00:00:00.000Z" });
    const clean = await picture(held.token, file.fileId);
    expect(clean.bytes).toEqual((await storedObject(pack, file.fileName)).bytes);
    expect(clean.headers.get("Content-Type")).toBe(file.contentType);
    const changed = await ask("PATCH", pack, held, "", { isClean: false, dueAt: null });
    expect(changed.body.data).toMatchObject({ isClean: false, dueAt: null, message: "Look" });
    const etag = clean.headers.get("ETag") ?? "";
    const marked = await picture(held.token, file.fileId, { "If-None-Match": etag });
    expect(marked.status).toBe(200);
    expect(marked.bytes).not.toEqual(clean.bytes);
  });

  it("API §18.2 shows the brand's name and logo, or the workspace's name", async () => {
    const held = await shareOf(pack);
    const before = (await visit(held.token)).body.data.brand;
    expect(before.logoUrl).toBe(`https://packs.example/api/v1/shared/${held.token}/logo`);
    const logo = await call("GET", new URL(before.logoUrl).pathname);
    expect([logo.status, logo.headers.get("Content-Security-Policy")]).toEqual([
      200,
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    ]);
    const known = { headers: { "If-None-Match": logo.headers.get("ETag") ?? "" } };
    expect((await call("GET", new URL(before.logoUrl).pathname, known)).status).toBe(304);
    const { brandId } = await savedBrand(pack.client.secret, { name: "Velo" });
    await execute`UPDATE jobs SET brand_id = ${brandId} WHERE artifact_id = ${pack.artifactId}`;
    expect((await visit(held.token)).body.data.brand.name).toBe("Velo");
    await execute`UPDATE jobs SET brand_id = NULL, asset_ids = '{}' WHERE artifact_id = ${pack.artifactId}`;
    expect((await visit(held.token)).body.data.brand.logoUrl).toBeNull();
    expect((await call("GET", new URL(before.logoUrl).pathname)).status).toBe(404);
  });
});

describe("an expired or revoked link", () => {
  const closed = async (token: string) => {
    const fileId = firstFile(pack).fileId;
    expect(refusalOf(await visit(token))).toEqual([403, "LINK_INVALID"]);
    expect(refusalOf(await picture(token, fileId))).toEqual([403, "LINK_INVALID"]);
    expect(refusalOf(await say(token, { name: "Grace", text: "Too late" }))).toEqual([403, "LINK_INVALID"]);
  };

  it("API §18.5 opens nothing after it was revoked, and keeps its comments", async () => {
    const held = await shareOf(pack);
    const fileId = firstFile(pack).fileId;
    await say(held.token, { name: "Grace", verdict: "approved" });
    const etag = (await picture(held.token, fileId)).headers.get("ETag") ?? "";
    const revoked = await revoke(pack, held);
    expect(revoked.body.data).toMatchObject({ status: "revoked", url: null, verdict: "approved" });
    await closed(held.token);
    expect((await picture(held.token, fileId, { "If-None-Match": etag })).status).toBe(403);
    expect((await readComments(pack, held)).body.data.items).toHaveLength(1);
    expect((await revoke(pack, held)).body.data.revokedAt).toBe(revoked.body.data.revokedAt);
  });

  it("API §18.5 opens nothing once it or its workspace has expired, nor if a character is altered", async () => {
    const held = await shareOf(pack);
    for (let at = 0; at < held.token.length; at += 11) {
      const other = held.token[at] === "A" ? "B" : "A";
      await closed(`${held.token.slice(0, at)}${other}${held.token.slice(at + 1)}`);
    }
    await execute`UPDATE workspaces SET suspended_at = 1 WHERE workspace_id = ${pack.client.workspaceId}`;
    await closed(held.token);
    await execute`UPDATE workspaces SET suspended_at = NULL WHERE workspace_id = ${pack.client.workspaceId}`;
    expect((await visit(held.token)).body.data.comments).toEqual([]);
    await execute`UPDATE shares SET expires_at = 1 WHERE share_id = ${held.share.shareId}`;
    await closed(held.token);
    expect((await listShares(pack)).body.data.items[0]).toMatchObject({ status: "expired", url: null });
  });

  it("API §18.5, §16.3 loses its pictures when the files are deleted, and its comments 90 days later", async () => {
    const old = await readyPack();
    const { token, share } = await shareOf(old);
    const fileId = firstFile(old).fileId;
    expect((await picture(token, fileId)).status).toBe(200);
    await say(token, { name: "Grace", text: "Bye" });
    const prefix = `workspaces/${old.client.workspaceId}/artifacts/${old.artifactId}/`;
    const names = async () =>
      (await env.BUCKET.list({ prefix })).objects.map(({ key }) => key.slice(prefix.length));
    expect(await names()).toContain(`protected/${fileId}.png`);
    const endMs = Date.parse(old.manifest.manifest.expiresAt);
    await expireArtifacts(env.DB, env.BUCKET, endMs + 2 * 3_600_000, 100);
    await expireArtifacts(env.DB, env.BUCKET, endMs + 2 * 3_600_000, 100);
    expect(await names()).toEqual(["manifest.json"]);
    const left = () => selectValue`SELECT count(*) FROM share_comments WHERE share_id = ${share.shareId}`;
    await deleteOldShares(env.DB, endMs + 89 * DAY_MS, 1_000);
    expect(await left()).toBe(1);
    await deleteOldShares(env.DB, endMs + 90 * DAY_MS, 1_000);
    expect(await left()).toBe(0);
  });
});
