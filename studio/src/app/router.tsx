import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { ConnectionError } from "creative-packs";
import { balanceQuery, queryClient } from "#api/queries.ts";
import { keepAgentRequest } from "#keys/agent-request.ts";
import { keepLinkToken } from "#session/link-token.ts";
import { openWorkspaces, takeNext } from "#session/open-workspaces.ts";
import { FailedPage, NotFoundPage, RootFrame } from "./fallback-pages.tsx";

/** All routes of the Studio. Pages load on first visit. */

/**
 * A lazily loaded page. If a deployment removed its script, the router reloads the document. Offline, a reload would
 * show the browser's error page, so a `ConnectionError` is thrown instead.
 */
const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (error) {
      await fetch("/", { method: "HEAD", cache: "no-store" }).catch((cause: unknown) => {
        throw new ConnectionError("The page's script could not be loaded.", { cause });
      });
      throw error;
    }
  }, name);

const root = createRootRouteWithContext<{ queryClient: typeof queryClient }>()({
  component: RootFrame,
  notFoundComponent: NotFoundPage,
});

/** Storage key of the last opened workspace's id. */
const LAST_WORKSPACE = "creative-packs.workspace";

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyPage(() => import("#session/welcome-page.tsx"), "WelcomePage"),
  beforeLoad: async ({ context }) => {
    const workspaces = await openWorkspaces(context.queryClient);
    if (workspaces === null) return;
    const next = takeNext();
    if (next !== null) throw redirect({ href: next });
    const last = localStorage.getItem(LAST_WORKSPACE);
    const workspace = workspaces.find(({ workspaceId }) => workspaceId === last) ?? workspaces[0];
    if (workspace === undefined) return;
    throw redirect({ to: "/w/$workspaceId/create", params: { workspaceId: workspace.workspaceId } });
  },
});

const addressOf = (value: unknown): string | undefined =>
  // Only paths of this origin: a link to `/sign-in` must not redirect elsewhere.
  typeof value === "string" && /^\/(?![/\\])/.test(value) ? value : undefined;

/** `next`: path to open after sign-in. `refused`: why a provider's sign-in failed. */
const readNext = (search: Record<string, unknown>): { next?: string; refused?: string } => {
  const next = addressOf(search.next);
  return {
    ...(next === undefined ? {} : { next }),
    ...(typeof search.refused === "string" ? { refused: search.refused } : {}),
  };
};

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: readNext,
  component: lazyPage(() => import("#session/sign-in-page.tsx"), "SignInPage"),
});

const signUp = createRoute({
  getParentRoute: () => root,
  path: "/sign-up",
  validateSearch: readNext,
  component: lazyPage(() => import("#session/sign-up-page.tsx"), "SignUpPage"),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: "/forgot-password",
  component: lazyPage(() => import("#session/forgot-password-page.tsx"), "ForgotPasswordPage"),
});

/** Removes the secret of an emailed link from the address before the page loads. */
const takeToken =
  (to: "/reset-password" | "/confirm-email") =>
  ({ location }: { readonly location: { readonly hash: string } }): void => {
    if (location.hash === "") return;
    keepLinkToken(location.hash);
    throw redirect({ to, replace: true });
  };

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: "/reset-password",
  beforeLoad: takeToken("/reset-password"),
  component: lazyPage(() => import("#session/reset-password-page.tsx"), "ResetPasswordPage"),
});

const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: "/confirm-email",
  beforeLoad: takeToken("/confirm-email"),
  component: lazyPage(() => import("#session/confirm-email-page.tsx"), "ConfirmEmailPage"),
});

/** A workspace. Signed-out users sign in first and then return. */
const workspace = createRoute({
  getParentRoute: () => root,
  path: "/w/$workspaceId",
  component: lazyPage(() => import("./workspace-shell.tsx"), "WorkspaceShell"),
  beforeLoad: async ({ context, params, location }) => {
    const workspaces = await openWorkspaces(context.queryClient);
    if (workspaces === null) throw redirect({ to: "/sign-in", search: { next: location.href } });
    // The user is not, or no longer, a member of this workspace: open one of their workspaces instead.
    if (!workspaces.some(({ workspaceId }) => workspaceId === params.workspaceId))
      throw redirect({ to: "/" });
    localStorage.setItem(LAST_WORKSPACE, params.workspaceId);
  },
  loader: ({ context, params }) => {
    void context.queryClient.prefetchQuery(balanceQuery(params.workspaceId));
  },
});

/** A workspace page without parameters in its path. */
const pageOf = <Path extends string>(path: Path, component: ReturnType<typeof lazyPage>) =>
  createRoute({ getParentRoute: () => workspace, path, component });

/**
 * `draft`: the draft's id, or `new`; if absent, the last draft opens. `from`: id of the job that fills the editor. With
 * `version`, the order is a new version of that job's pack.
 */
const readDraft = (search: Record<string, unknown>): { draft?: string; from?: string; version?: true } => ({
  ...(typeof search.draft === "string" ? { draft: search.draft } : {}),
  ...(typeof search.from === "string" ? { from: search.from } : {}),
  ...(search.version === true ? { version: true } : {}),
});

const create = createRoute({
  getParentRoute: () => workspace,
  path: "create",
  validateSearch: readDraft,
  component: lazyPage(() => import("#editor/create-page.tsx"), "CreatePage"),
});

/** `bought`: set on the return from the payment page. 1: the user has paid; 0: the user has left the page. */
const readBought = (search: Record<string, unknown>): { bought?: 0 | 1 } =>
  search.bought === 1 || search.bought === 0 ? { bought: search.bought } : {};

const billing = createRoute({
  getParentRoute: () => workspace,
  path: "billing",
  validateSearch: readBought,
  component: lazyPage(() => import("#billing/billing-page.tsx"), "BillingPage"),
});

/** `month`: such as 2026-11. */
const readMonth = (search: Record<string, unknown>): { month?: string } =>
  typeof search.month === "string" && /^\d{4}-(0[1-9]|1[0-2])$/.test(search.month)
    ? { month: search.month }
    : {};

const statement = createRoute({
  getParentRoute: () => workspace,
  path: "statement",
  validateSearch: readMonth,
  component: lazyPage(() => import("#statement/statement-page.tsx"), "StatementPage"),
});

/** The invitation's token is in the fragment, which browsers do not send. */
const invitation = createRoute({
  getParentRoute: () => root,
  path: "/invitation",
  component: lazyPage(() => import("#people/invitation-page.tsx"), "InvitationPage"),
});

/** OAuth authorization endpoint, where users grant an agent access. */
const connect = createRoute({
  getParentRoute: () => root,
  path: "/connect",
  component: lazyPage(() => import("#keys/connect-page.tsx"), "ConnectPage"),
  beforeLoad: async ({ context }) => {
    keepAgentRequest();
    if ((await openWorkspaces(context.queryClient)) === null)
      throw redirect({ to: "/sign-in", search: { next: "/connect" } });
  },
});

/** A shared pack, which needs no account. */
const share = createRoute({
  getParentRoute: () => root,
  path: "/review/$token",
  component: lazyPage(() => import("#share/share-page.tsx"), "SharePage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    signIn,
    signUp,
    forgotPassword,
    resetPassword,
    confirmEmail,
    invitation,
    connect,
    share,
    workspace.addChildren([
      create,
      pageOf(
        "packs",
        lazyPage(() => import("#packs/packs-page.tsx"), "PacksPage"),
      ),
      pageOf(
        "packs/$artifactId",
        lazyPage(() => import("#packs/pack-page.tsx"), "PackPage"),
      ),
      pageOf(
        "bulk",
        lazyPage(() => import("#bulk/bulk-page.tsx"), "BulkPage"),
      ),
      pageOf(
        "brands",
        lazyPage(() => import("#brands/brands-page.tsx"), "BrandsPage"),
      ),
      pageOf(
        "usage",
        lazyPage(() => import("#usage/usage-page.tsx"), "UsagePage"),
      ),
      billing,
      statement,
      pageOf(
        "keys",
        lazyPage(() => import("#keys/keys-page.tsx"), "KeysPage"),
      ),
      pageOf(
        "audit",
        lazyPage(() => import("#audit/audit-page.tsx"), "AuditPage"),
      ),
      pageOf(
        "people",
        lazyPage(() => import("#people/people-page.tsx"), "PeoplePage"),
      ),
      pageOf(
        "destinations",
        lazyPage(() => import("#destinations/destinations-page.tsx"), "DestinationsPage"),
      ),
      pageOf(
        "settings",
        lazyPage(() => import("#settings/settings-page.tsx"), "SettingsPage"),
      ),
    ]),
  ]),
  context: { queryClient },
  defaultPreload: "intent",
  defaultErrorComponent: FailedPage,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
