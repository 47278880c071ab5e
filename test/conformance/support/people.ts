import { readFileSync } from "node:fs";
import { type SeededAccount, seedAccount } from "../../support/seed-account.ts";
import { type Answer, type Call, send } from "./client.ts";
import { SECRETS, type Service } from "./service.ts";

/** People who are signed in, and requests as a page of the service would send them for one. */

export type Person = SeededAccount;

/** The name of the session's cookie where there is no TLS. */
const COOKIE_NAME = "cp_session";

export const seedPerson = ({ db }: Service): Promise<Person> =>
  seedAccount({ db, secret: SECRETS.AUTH_SECRET, cookieName: COOKIE_NAME });

export const sendAs = (
  service: Service,
  person: { readonly cookie: string },
  method: string,
  path: string,
  call: Call = {},
): Promise<Answer> =>
  send(service, method, path, {
    ...call,
    headers: { Origin: service.origin, Cookie: person.cookie, ...call.headers },
  });

interface Described {
  readonly security?: readonly object[];
  readonly requestBody?: unknown;
}
const document: { paths: Record<string, Record<string, Described>> } = JSON.parse(
  readFileSync("schema/openapi.json", "utf8"),
);

/** An operation of the account routes. */
export interface AccountOperation {
  readonly name: string;
  readonly method: string;
  readonly template: string;
  readonly needsSession: boolean;
  readonly takesBody: boolean;
}

/** Every operation under /api/account, as the document describes them. */
export const ACCOUNT_OPERATIONS: readonly AccountOperation[] = Object.entries(document.paths)
  .filter(([template]) => template.startsWith("/api/account/"))
  .flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { security = [], requestBody }]) => ({
      name: `${method.toUpperCase()} ${template}`,
      method: method.toUpperCase(),
      template,
      needsSession: security.some((scheme) => "accountSession" in scheme),
      takesBody: requestBody !== undefined,
    })),
  );

/** A path of the operation; every id in it is `id`, every provider GitHub. */
export const pathOf = ({ template }: AccountOperation, id: string): string =>
  template.replace("{provider}", "github").replace(/\{[^}]+\}/g, id);
