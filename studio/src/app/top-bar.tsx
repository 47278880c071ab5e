import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { balanceQuery, spendableOf, workspacesQuery } from "#api/queries.ts";
import { Mark } from "#ui/page.tsx";
import { Select } from "#ui/select.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { useIsOwner, useWorkspaceId } from "./workspace.ts";

const PAGES = [
  ["create", "/w/$workspaceId/create"],
  ["packs", "/w/$workspaceId/packs"],
  ["brands", "/w/$workspaceId/brands"],
  ["usage", "/w/$workspaceId/usage"],
  ["billing", "/w/$workspaceId/billing"],
  ["keys", "/w/$workspaceId/keys"],
  ["people", "/w/$workspaceId/people"],
  ["destinations", "/w/$workspaceId/destinations"],
  ["settings", "/w/$workspaceId/settings"],
] as const;

/** Name, workspace, pages, credits, account. On a phone the pages are a row to be swept. */
export function TopBar() {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId();
  // A member may read it, and is led there where credits are short; buying is the owners'.
  const isOwner = useIsOwner();
  const nav = useRef<HTMLElement>(null);
  const pathname = useLocation({ select: (location) => location.pathname });
  // On a phone the open page may be at the end of the row. `scrollIntoView` would make Tab begin there, past the skip link.
  useEffect(() => {
    const row = nav.current?.getBoundingClientRect();
    const link = nav.current?.querySelector("[aria-current]")?.getBoundingClientRect();
    if (row === undefined || link === undefined) return;
    nav.current?.scrollBy(Math.max(0, link.right - row.right) + Math.min(0, link.left - row.left), 0);
  }, [pathname]);
  return (
    <header className="print:hidden sticky top-0 z-30 border-b border-line bg-paper/95 backdrop-blur">
      <div className="flex flex-wrap items-center gap-x-2 px-3 sm:px-5">
        <Link to="/" className="flex h-12 items-center gap-2 font-semibold tracking-tight">
          <Mark />
          <span className="sr-only sm:not-sr-only">{t("name")}</span>
        </Link>
        <WorkspaceMenu />
        <nav
          ref={nav}
          aria-label={t("nav.label")}
          className="order-last -mx-3 w-[calc(100%+1.5rem)] overflow-x-auto px-3 lg:order-none lg:mx-2 lg:w-auto lg:flex-1"
        >
          <ul className="flex gap-1">
            {PAGES.filter(([name]) => isOwner || name !== "billing").map(([name, to]) => (
              <li key={name}>
                <Link
                  to={to}
                  params={{ workspaceId }}
                  search={name === "create" ? { draft: "new" } : {}}
                  activeOptions={{ includeSearch: false }}
                  className="flex h-10 items-center border-b-2 border-transparent px-2.5 text-sm whitespace-nowrap text-quiet hover:text-ink lg:h-12"
                  activeProps={{ className: "border-accent! text-ink! font-medium", "aria-current": "page" }}
                >
                  {t(`nav.${name}`)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="ml-auto flex items-center gap-1.5">
          <CreditsLeft />
          <AccountMenu />
        </div>
      </div>
    </header>
  );
}

/** Which workspace is open. Shown where the person has several. */
function WorkspaceMenu() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const open = useWorkspaceId();
  const { data = [] } = useQuery(workspacesQuery);
  if (data.length < 2) return null;
  return (
    <Select
      label={t("workspace.choose")}
      isLabelHidden
      value={open}
      options={data.map(({ workspaceId, name }) => ({ value: workspaceId, text: name }))}
      onChange={(workspaceId) => navigate({ to: "/w/$workspaceId/packs", params: { workspaceId } })}
    />
  );
}

/** What the workspace can spend now; a way to the ledger. */
function CreditsLeft() {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId();
  const { data } = useQuery(balanceQuery(workspaceId));
  if (data === undefined) return null;
  const { plan, prepaid, total } = spendableOf(data);
  return (
    <Link
      to="/w/$workspaceId/usage"
      params={{ workspaceId }}
      title={plan === null ? t("credits.label") : t("credits.split", { plan, prepaid })}
      className="rounded-full border border-line px-3 py-1 text-sm tabular-nums hover:border-strong-line"
    >
      {data.accessType === "unlimited" ? t("credits.unlimited") : t("credits.left", { count: total })}
    </Link>
  );
}
