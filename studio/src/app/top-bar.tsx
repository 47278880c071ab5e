import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { ChevronDown, Menu as MenuIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { balanceQuery, spendableOf, workspacesQuery } from "#api/queries.ts";
import { Menu } from "#ui/menu.tsx";
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

/** Number of pages that are shown at every width. In a narrow window, the others are in a menu. */
const MAIN_PAGES = 3;
const LINK =
  "flex h-14 items-center border-b-2 border-transparent text-sm whitespace-nowrap text-quiet hover:text-ink";
const OPEN = "border-accent! text-ink! font-medium";

/** Name, workspace, pages, credits, account. */
export function TopBar() {
  const { t } = useTranslation();
  // Members have no link to the billing page, since only owners buy. They can still open it.
  const isOwner = useIsOwner();
  const pages = PAGES.filter(([name]) => isOwner || name !== "billing");
  return (
    <header className="print:hidden sticky top-0 z-30 flex h-14 items-center gap-1 border-b border-line bg-paper px-4 sm:gap-2 sm:px-5">
      <Link to="/" className="flex h-11 items-center gap-2 pr-1 font-semibold tracking-tight">
        <Mark />
        <span className="whitespace-nowrap max-md:sr-only">{t("name")}</span>
      </Link>
      <WorkspaceMenu />
      <nav aria-label={t("nav.label")} className="flex min-w-0 items-center sm:ml-2">
        <ul className="flex">
          {pages.map((page, at) => (
            <li key={page[0]} className={at < MAIN_PAGES ? "" : "max-xl:hidden"}>
              <PageLink page={page} className={`${LINK} px-1.5 sm:px-2.5`} />
            </li>
          ))}
        </ul>
      </nav>
      <MorePages pages={pages.slice(MAIN_PAGES)} />
      <div className="flex items-center gap-1.5 max-sm:-mr-[7px] sm:ml-auto">
        <CreditsLeft />
        <AccountMenu />
      </div>
    </header>
  );
}

type PageEntry = (typeof PAGES)[number];

/** Link to a page. The menu renders it too, and passes additional props. */
function PageLink({ page: [name, to], ...rest }: { readonly page: PageEntry; readonly className?: string }) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId();
  return (
    <Link
      to={to}
      params={{ workspaceId }}
      search={name === "create" ? { draft: "new" } : {}}
      activeOptions={{ includeSearch: false }}
      activeProps={{ className: OPEN, "aria-current": "page" }}
      {...rest}
    >
      {t(`nav.${name}`)}
    </Link>
  );
}

/**
 * Menu of the pages that do not fit in the row, and of other workspaces. It is highlighted while one of its pages is
 * open.
 */
function MorePages({ pages }: { readonly pages: readonly PageEntry[] }) {
  const { t } = useTranslation();
  const pathname = useLocation({ select: (location) => location.pathname });
  const isOpen = pages.some(([name]) => pathname.split("/")[3] === name);
  return (
    <div className={`${LINK} max-sm:ml-auto max-sm:*:px-2! sm:-ml-1 xl:hidden ${isOpen ? OPEN : ""}`}>
      <Menu
        label={t("nav.more")}
        text={
          <>
            <span className="max-sm:sr-only">{t("nav.moreShort")}</span>
            <ChevronDown className="-mr-1 size-4 max-sm:hidden" />
            <MenuIcon className="size-5 sm:hidden" />
          </>
        }
      >
        {pages.map((page) => (
          <Menu.Link key={page[0]} render={<PageLink page={page} />} />
        ))}
        <WorkspaceMenu isInMenu />
      </Menu>
    </div>
  );
}

/** Menu with the open workspace's name. Shown if the user has several workspaces. */
function WorkspaceMenu({ isInMenu = false }: { readonly isInMenu?: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const open = useWorkspaceId();
  const { data = [] } = useQuery(workspacesQuery);
  if (data.length < 2) return null;
  const choice = {
    label: t("workspace.choose"),
    value: open,
    options: data.map(({ workspaceId, name }) => ({ value: workspaceId, text: name })),
    onChange: (workspaceId: string) => navigate({ to: "/w/$workspaceId/packs", params: { workspaceId } }),
  };
  if (isInMenu) return <Menu.Choice {...choice} />;
  return (
    <div className="max-xl:hidden">
      <Select {...choice} isLabelHidden />
    </div>
  );
}

/** The workspace's credits, linked to the ledger. */
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
      className="rounded-full border border-line px-3 py-1 text-sm whitespace-nowrap tabular-nums hover:border-strong-line max-sm:hidden"
    >
      {data.accessType === "unlimited" ? t("credits.unlimited") : t("credits.left", { count: total })}
    </Link>
  );
}
