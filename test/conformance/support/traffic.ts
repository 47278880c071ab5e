/** Records exchanges as NDJSON for `redocly drift`. */

/** Replaces the services' origins, which the description does not name. */
export const TRAFFIC_ORIGIN = "http://localhost";

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly init: RequestInit;
  readonly response: Response;
  /** The answer's JSON; null for another kind of body. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are read member by member, whatever they hold.
  readonly json: any;
}

const accepted: string[] = [];
const refused: string[] = [];

/** The recorded exchanges, one per line: accepted ones, then refused ones. */
export const trafficSoFar = (): readonly string[] => [...accepted, ...refused];

/** Whether the path or method is unknown (API §4.3), and therefore missing from the OpenAPI document. */
const isUnserved = ({ response, json }: Exchange): boolean =>
  response.status === 405 || (response.status === 404 && json?.error?.code === "ROUTE_NOT_FOUND");

/** Without TLS the session cookie has no prefix; the description has its deployed name. */
const asDeployed = (cookie: string): string => cookie.replace(/(^|; )cp_session=/, "$1__Host-cp_session=");

/** Bytes are replaced by their length, because the description says nothing else about them. */
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
