import { requireTool, WRANGLER_ENVIRONMENT } from "./tool.ts";

export interface LocalWorkspace {
  readonly workspaceId: string;
  /** Secret of the first key, which has every scope. */
  readonly secret: string;
}

/** Creates a workspace with credits and a first key in a state folder's database, with the operators' script. */
export async function createLocalWorkspace(
  stateFolder: string,
  name: string,
  credits: number,
): Promise<LocalWorkspace> {
  const { stdout } = await requireTool(
    "Creating a workspace",
    "node",
    [
      "scripts/operate/workspace.ts",
      "create",
      "--name",
      name,
      "--credits",
      String(credits),
      "--persist-to",
      stateFolder,
      "--json",
    ],
    WRANGLER_ENVIRONMENT,
  );
  const { workspaceId, secret } = JSON.parse(stdout);
  return { workspaceId, secret };
}
