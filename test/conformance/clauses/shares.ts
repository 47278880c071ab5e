import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signShare } from "#domains/shares/share-token.ts";
import { signComment } from "#domains/shares/visits-and-approvals.ts";
import { change, damageFirstFile, expireArtifact } from "../support/arrange.ts";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import { finishLogoPack } from "../support/flow.ts";
import type { Harness } from "../support/harness.ts";
import { SECRETS } from "../support/service.ts";

const LINK_KEYS = { current: SECRETS.DOWNLOAD_SIGNING_KEY, previous: null };

/** Share links: answers to members and visitors. */
export const shares = (harness: Harness): void => {
  const { service } = harness;
  const { key } = harness.rich;

  const madePack = async () => {
    const job = await finishLogoPack(service, key);
    return { artifactId: job.artifactId, base: `/api/v1/artifacts/${job.artifactId}/shares` };
  };

  /** A correctly signed link to a missing share. */
  const strayLink = async (): Promise<string> => {
    return `/api/v1/shared/${await signShare(LINK_KEYS, randomUUID(), Date.now() + 60_000)}`;
  };

  const said = { json: { name: "Grace", text: "Good to go.", verdict: "approved" } };

  describe("API §18.1 share links", () => {
    it("API §4.56, §18.1, §18.2, §18.3, §18.4, §18.5, §18.7, §18.8, §18.9 a link's life from creation to revocation", async () => {
      const { base, artifactId } = await madePack();
      /** Whether the list of artifacts, filtered by an approval state, contains the pack. */
      const approval = async (state: string) => {
        const found = await send(service, "GET", `/api/v1/artifacts?approval=${state}`, { key });
        return found.body.data.items.some((pack: { artifactId: string }) => pack.artifactId === artifactId);
      };
      expect(await approval("none")).toBe(true);
      const made = await send(service, "POST", base, { key, json: { name: "First round" } });
      expect(await approval("in_review")).toBe(true);
      expect([made.status, made.body.data.status]).toEqual([201, "open"]);
      const { shareId, url } = made.body.data;
      const link = `/api/v1/shared/${url.split("/").at(-1)}`;
      const visited = await send(service, "GET", link);
      expect(visited.status).toBe(200);
      expectRateLimitHeaders(visited);
      const [file] = visited.body.data.files;
      const path = new URL(file.image.url).pathname;
      const picture = await send(service, "GET", path);
      expect([picture.status, picture.headers.get("Content-Type")]).toEqual([200, "image/png"]);
      const known = { headers: { "If-None-Match": picture.headers.get("ETag") ?? "" } };
      expect((await send(service, "GET", path, known)).status).toBe(304);
      expect((await send(service, "GET", `${link}/files/${randomUUID()}`)).status).toBe(404);
      expect((await send(service, "GET", `${link}/files/none`)).status).toBe(400);
      expect((await send(service, "POST", `${link}/comments`, said)).status).toBe(201);
      expect((await send(service, "POST", `${link}/comments`, { json: {} })).status).toBe(400);
      const astray = { json: { ...said.json, fileId: randomUUID() } };
      expect((await send(service, "POST", `${link}/comments`, astray)).status).toBe(404);
      const typed = { bytes: new Uint8Array(2), headers: { "Content-Type": "text/plain" } };
      expect((await send(service, "POST", `${link}/comments`, typed)).status).toBe(415);
      expect(await approval("approved")).toBe(true);
      const own = (await send(service, "POST", `${link}/comments`, { json: { name: "Grace", text: "Hm." } }))
        .body.data;
      const done = { json: { isResolved: true, commentToken: own.commentToken } };
      expect((await send(service, "PATCH", `${link}/comments/${own.commentId}`, done)).status).toBe(200);
      expect((await send(service, "PATCH", `${link}/comments/${randomUUID()}`, done)).status).toBe(403);
      expect((await send(service, "PATCH", `${link}/comments/${own.commentId}`, { json: {} })).status).toBe(
        400,
      );
      expect((await send(service, "PATCH", `${link}/comments/${own.commentId}`, typed)).status).toBe(415);
      const stray = randomUUID();
      const ofStray = { json: { isResolved: true, commentToken: await signComment(LINK_KEYS, stray) } };
      expect((await send(service, "PATCH", `${link}/comments/${stray}`, ofStray)).status).toBe(404);
      const logo = await send(service, "GET", `${link}/logo`);
      expect(logo.status).toBe(200);
      const held = { headers: { "If-None-Match": String(logo.headers.get("ETag")) } };
      expect((await send(service, "GET", `${link}/logo`, held)).status).toBe(304);
      await change(service, "UPDATE jobs SET asset_ids = '{}' WHERE artifact_id = ?", artifactId);
      expect((await send(service, "GET", `${link}/logo`)).status).toBe(404);
      const listed = await send(service, "GET", base, { key });
      expect(listed.body.data.items).toMatchObject([{ shareId, verdict: "approved", commentCount: 2 }]);
      const mail = (id: string, json: object) => send(service, "POST", `${base}/${id}/mail`, { key, json });
      const asked = { email: `${randomUUID()}@accounts.example`, language: "en" };
      const mailed = await mail(shareId, asked);
      expect([mailed.status, mailed.body.data]).toEqual([202, { email: asked.email }]);
      expect((await mail(shareId, { ...asked, email: "nobody" })).status).toBe(400);
      expect((await mail(randomUUID(), asked)).status).toBe(404);
      const comments = await send(service, "GET", `${base}/${shareId}/comments`, { key });
      expect(comments.body.data.items).toMatchObject([said.json, { text: "Hm." }]);
      const update = (id: string, json: object) => send(service, "PATCH", `${base}/${id}`, { key, json });
      expect((await update(shareId, { isClean: true })).body.data.isClean).toBe(true);
      expect((await update(shareId, { isClean: 1 })).status).toBe(400);
      expect((await update(randomUUID(), {})).status).toBe(404);
      const remarks = `${base}/${shareId}/comments`;
      const reply = (json: object) => send(service, "POST", remarks, { key, json });
      expect((await reply({ text: "Done.", replyTo: own.commentId })).status).toBe(201);
      expect((await reply({ text: "" })).status).toBe(400);
      expect((await reply({ text: "Done.", replyTo: randomUUID() })).status).toBe(404);
      const resolve = (id: string, json: object) => send(service, "PATCH", `${remarks}/${id}`, { key, json });
      expect((await resolve(own.commentId, { isResolved: false })).body.data.resolvedAt).toBeNull();
      expect((await resolve(randomUUID(), { isResolved: false })).status).toBe(404);
      expect((await send(service, "DELETE", `${base}/${shareId}`, { key })).status).toBe(200);
      expect((await reply({ text: "Too late" })).body.error.code).toBe("LINK_INVALID");
      const after = [
        await send(service, "GET", `${link}/logo`),
        await send(service, "GET", link),
        await send(service, "GET", path),
        await send(service, "POST", `${link}/comments`, said),
      ];
      for (const { status, body } of after) expect([status, body.error.code]).toEqual([403, "LINK_INVALID"]);
    });

    it("API §18.1 404 for a missing pack or link, 409 for an expired pack or a pack with too many links", async () => {
      const { base, artifactId } = await madePack();
      const nowhere = `/api/v1/artifacts/${randomUUID()}/shares`;
      expect((await send(service, "POST", nowhere, { key, json: {} })).status).toBe(404);
      expect((await send(service, "GET", nowhere, { key })).status).toBe(404);
      expect((await send(service, "DELETE", `${base}/${randomUUID()}`, { key })).status).toBe(404);
      expect((await send(service, "GET", `${base}/${randomUUID()}/comments`, { key })).status).toBe(404);
      const { url, shareId } = (await send(service, "POST", base, { key, json: {} })).body.data;
      const link = `/api/v1/shared/${url.split("/").at(-1)}`;
      await change(
        service,
        `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 300)
         INSERT INTO share_comments (comment_id, share_id, name, text, created_at) SELECT printf('0199f0c9-0000-7000-8000-%012d', n), ?1, 'x', 'x', 1 FROM number`,
        shareId,
      );
      expect((await send(service, "POST", `${link}/comments`, said)).status).toBe(409);
      const reply = { key, json: { text: "More" } };
      expect((await send(service, "POST", `${base}/${shareId}/comments`, reply)).status).toBe(409);
      await damageFirstFile(service, artifactId);
      const [file] = (await send(service, "GET", link)).body.data.files;
      const corrupt = await send(service, "GET", new URL(file.image.url).pathname);
      expect([corrupt.status, corrupt.body.error.code]).toEqual([409, "FILE_CORRUPT"]);
      await expireArtifact(service, artifactId);
      const late = await send(service, "POST", base, { key, json: {} });
      expect([late.status, late.body.error.code]).toEqual([409, "ARTIFACT_NOT_READY"]);
    });

    it("API §18.6 visits and comments are 429 when their window is full", async () => {
      const link = await strayLink();
      for (const path of [link, `${link}/logo`, `${link}/files/${randomUUID()}`]) {
        const answers = [];
        for (let nth = 0; nth < 3; nth += 1) answers.push((await send(harness.tight, "GET", path)).status);
        expect(answers).toContain(429);
      }
      const answers = [];
      for (let nth = 0; nth < 3; nth += 1) {
        answers.push((await send(harness.tight, "POST", `${link}/comments`, said)).status);
        await send(harness.tight, "PATCH", `${link}/comments/${randomUUID()}`, { json: {} });
      }
      expect(answers).toContain(429);
    });

    it("API §1.8, §7.4 a link is 500 on a broken database, and 501 without a database or signing key", async () => {
      const link = await strayLink();
      const commentId = randomUUID();
      const commentToken = await signComment(LINK_KEYS, commentId);
      for (const [method, tail, call] of [
        ["GET", "", {}],
        ["GET", `/files/${randomUUID()}`, {}],
        ["GET", "/logo", {}],
        ["POST", "/comments", said],
        ["PATCH", `/comments/${commentId}`, { json: { isResolved: true, commentToken } }],
      ] as const) {
        const statuses = [];
        for (const service of [harness.broken, harness.bare, harness.withoutDelivery]) {
          statuses.push((await send(service, method, link + tail, call)).status);
          expect(service.logs()).not.toContain(link.slice(-40));
        }
        expect(statuses).toEqual([500, 501, 501]);
      }
    });
  });
};
