import type { OpenAPIHono } from "@hono/zod-openapi";
import { getPath } from "hono/utils/url";
import { answerRequests, createApp, refuseOtherMethods } from "./app.ts";
import type { AppEnv } from "./context.ts";
import { addRoute, type Route } from "./route.ts";

/** Operations whose code loads together, at the first request for one of them, so that isolates start faster. */
export interface RouteGroup {
  /** Path prefixes in whole segments; `*` matches any one segment. The longest matching prefix wins. */
  readonly prefixes: readonly string[];
  readonly load: () => Promise<{
    readonly routes: readonly Route[];
    /** Adds handlers that are not operations of the API. */
    readonly addOthers?: (app: OpenAPIHono<AppEnv>) => void;
  }>;
}

type Answer = ReturnType<typeof answerRequests>;

/** A node of the prefix tree: the group that ends here, and the next segments. */
interface Branch {
  group: RouteGroup | null;
  readonly next: Map<string, Branch>;
}

const newBranch = (): Branch => ({ group: null, next: new Map() });

/** Returns a function that finds the group of a path, or null. */
export function groupFinder(groups: readonly RouteGroup[]): (path: string) => RouteGroup | null {
  const root = newBranch();
  for (const group of groups) {
    for (const prefix of group.prefixes) {
      let branch = root;
      for (const part of prefix.split("/").slice(1)) {
        const next = branch.next.get(part) ?? newBranch();
        branch.next.set(part, next);
        branch = next;
      }
      branch.group = group;
    }
  }
  return (path) => {
    let found: RouteGroup | null = null;
    let branch: Branch | undefined = root;
    for (const part of path.split("/").slice(1)) {
      branch = branch.next.get(part) ?? branch.next.get("*");
      if (branch === undefined) break;
      found = branch.group ?? found;
    }
    return found;
  };
}

const parametersOf = ({ declaration }: Route): number => declaration.path.split("{").length;

/**
 * Adds paths with fewer parameters first, with all their methods: otherwise `/assets/imports` would match
 * `/assets/{assetId}`.
 */
function addRoutes(app: OpenAPIHono<AppEnv>, routes: readonly Route[]): void {
  for (const parameters of [...new Set(routes.map(parametersOf))].sort()) {
    for (const route of routes) if (parametersOf(route) === parameters) addRoute(app, route);
    refuseOtherMethods(app);
  }
}

/**
 * Dispatches each request to the application of its group, which is created at its first request. `addOthers` adds the
 * routes outside all groups; that application also answers 404.
 */
export function answerByGroup(
  groups: readonly RouteGroup[],
  addOthers: (app: OpenAPIHono<AppEnv>) => void,
): Answer {
  const findGroup = groupFinder(groups);
  const words = groups.flatMap(({ prefixes }) => prefixes);
  const answers = new Map<RouteGroup | null, Answer>();

  /** Caches the loaded application, never a promise: a request canceled while it loads would block all others. */
  async function open(group: RouteGroup | null): Promise<Answer> {
    const app = createApp();
    if (group === null) addOthers(app);
    else {
      const loaded = await group.load();
      addRoutes(app, loaded.routes);
      loaded.addOthers?.(app);
    }
    refuseOtherMethods(app);
    const answer = answerRequests(app, words);
    answers.set(group, answer);
    return answer;
  }

  return async (request, ...rest) => {
    const group = findGroup(getPath(request));
    const answer = answers.get(group) ?? (await open(group));
    return answer(request, ...rest);
  };
}
