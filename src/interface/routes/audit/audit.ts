import { auditPageSchema, auditQuery } from "#api/schemas/audit.ts";
import { auditCsv, presentAuditEvent, readAudit } from "#domains/audit/read-audit.ts";
import { contentDisposition } from "#interface/http/downloads.ts";
import { succeed } from "#interface/http/envelope.ts";
import { defineTwins, success } from "#interface/http/route.ts";
import { directoryOf } from "#interface/http/workspace-database.ts";
import { CSV_TYPE } from "#platform/csv.ts";
import { presentPage } from "#platform/db/page.ts";

export const [listAuditRoute, listWorkspaceAuditRoute] = defineTwins({
  scope: "audit:read",
  isLiveOnly: true,
  description:
    "Changes to keys, members, destinations, money and access, newest first, kept for 400 days. For owners, and " +
    "for keys with `audit:read`. Money means ledger events other than those of jobs.",
  query: auditQuery,
  responses: {
    200: {
      ...success(auditPageSchema, "A page of events", {
        Link: {
          description: "URL of the next page (RFC 8288). Only for CSV, if there is a next page.",
          schema: { type: "string" },
        },
      }),
      bytes: ["text/csv"],
    },
  },
  forKey: { operationId: "listAudit", route: "GET /api/v1/audit", summary: "Read the audit log" },
  forMember: {
    operationId: "listWorkspaceAudit",
    route: "GET /api/account/workspaces/{workspaceId}/audit",
    summary: "Read a workspace's audit log",
    errors: ["ROLE_INSUFFICIENT"],
  },
  handler: async (c, { db, workspaceId, query: { type = null, before = null, limit, format } }) => {
    const databases = { db, directory: directoryOf(c) };
    const page = await readAudit(databases, workspaceId, { type, before, limit }, c.var.nowMs);
    if (format === "json") return succeed(c, 200, presentPage(page, presentAuditEvent));
    if (page.nextBefore !== null) {
      const next = new URLSearchParams({ format, limit: String(limit), before: page.nextBefore });
      if (type !== null) next.set("type", type);
      c.header("Link", `<${c.req.path}?${next}>; rel="next"`);
    }
    c.header("Content-Disposition", contentDisposition("audit.csv"));
    return c.text(auditCsv(page), 200, { "Content-Type": CSV_TYPE });
  },
});
