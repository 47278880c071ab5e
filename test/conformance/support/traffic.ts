/** Keeps what was sent and answered, a line of NDJSON an exchange: what `redocly drift` reads. */

/** Stands for the origins of all services; the description knows none. */
export const TRAFFIC_ORIGIN = "http://localhost";

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly init: RequestInit;
  readonly response: Response;
  /** What the answer's JSON says; null for another kind of body. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are read member by member, whatever they hold.
  readonly json: any;
}

const accepted: string[] = [];
const refused: string[] = [];

/** What was exchanged until now, a line each: what was accepted, then what was refused. */
export const trafficSoFar = (): readonly string[] => [...accepted, ...refused];

/** A path or a method that is not there is answered as API §4.3 says, and the description has nothing on it. */
const isUnserved = ({ response, json }: Exchange): boolean =>
  response.status === 405 || (response.status === 404 && json?.error?.code === "ROUTE_NOT_FOUND");

/** Without TLS the session's cookie has no prefix; the description names it as it is deployed. */
const asDeployed = (cookie: string): string => cookie.replace(/(^|; )cp_session=/, "$1__Host-cp_session=");

/** Bytes are told by their number: the description says no more of them. */
function bodyOf({ body }: RequestInit): string | undefined {
  if (body == null) return undefined;
  return typeof body === "string" ? body : `${body instanceof Uint8Array ? body.byteLength : "some"} bytes`;
}

export function recordExchange(exchange: Exchange): void {
  if (isUnserved(exchange)) return;
  const { method, path, init, response, json } = exchange;
  const headers = Object.fromEntries(new Headers(init.headers));
  if (headers.cookie !== undefined) headers.cookie = asDeployed(headers.cookie);
  const line = JSON.stringify({
    request: { method, url: `${TRAFFIC_ORIGIN}${path}`, headers, body: bodyOf(init) },
    response: {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      ...(json === null ? {} : { body: json }),
    },
  });
  (response.status < 400 ? accepted : refused).push(line);
}
