import { SCOPES } from "#api/scopes.ts";
import { call, type TestWorkspace } from "./workspace.ts";

/** A test key of a workspace, created with its live key. */
export async function testKeyOf({ secret }: Pick<TestWorkspace, "secret">): Promise<string> {
  const body = { name: "Tests", scopes: SCOPES, livemode: false };
  const { status, body: answer } = await call("POST", "/api/v1/api-keys", { secret, body });
  if (status !== 201) throw new Error(`the test key was refused: ${JSON.stringify(answer)}`);
  return answer.data.secret;
}
