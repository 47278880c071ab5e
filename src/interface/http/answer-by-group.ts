import type { OpenAPIHono } from "@hono/zod-openapi";
import { getPath } from "hono/utils/url";
import { answerRequests, createApp, refuseOtherMethods } from "./app.ts";
import type { AppEnv } from "./context.ts";
import { addRoute, type Route } from "./route.ts";

/** Operations whose code is loaded together, at the first request for one of them: an isolate starts without it. */
export interface RouteGroup {
  /** What the operations' paths begin with, in whole parts; `*` is any one part. Of several groups the longest decides. */
  readonly prefixes: readonly string[];
  readonly load: () => Promise<{
    readonly routes: readonly Route[];
    /** Adds what is no operation of the API. */
    readonly addOthers?: (app: OpenAPIHono<AppEnv>) => void;
  }>;
}

type Answer = ReturnType<typeof answerRequests>;

/** What follows a part of a path: groups that end there, and further parts. */
interface Branch {
  group: RouteGroup | null;
  readonly next: Map<string, Branch>;
}

const newBranch = (): Branch => ({ group: null, next: new Map() });

/** The group of a path, and null for a path that is in none. */
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

/** Paths with fewer parameters come first, with all methods: `imports` in `/assets/imports` is never an asset's id. */
function addRoutes(app: OpenAPIHono<AppEnv>, routes: readonly Route[]): void {
  for (const parameters of [...new Set(routes.map(parametersOf))].sort()) {
    for (const route of routes) if (parametersOf(route) === parameters) addRoute(app, route);
    refuseOtherMethods(app);
  }
}

/**
 * Answers each request by the application of its group, which is made at the first one. `addOthers` adds what is in no
 * group; that application also answers for paths that nothing has.
 */
export function answerByGroup(
  groups: readonly RouteGroup[],
  addOthers: (app: OpenAPIHono<AppEnv>) => void,
): Answer {
  const findGroup = groupFinder(groups);
  const words = groups.flatMap(({ prefixes }) => prefixes);
  const answers = new Map<RouteGroup | null, Answer>();

  /** Keeps what stands, never a promise: a request that is cut off while it loads leaves nothing that others wait for. */
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
