import { randomUUID } from "node:crypto";
import type { JobBody } from "../../scripts/demo/answers.ts";
import type { UploadIntentBody } from "../../src/api/schemas/upload.ts";
import type { Dearest } from "./dearest-requests.ts";
import { until } from "./service.ts";
import type { Upload } from "./upload.ts";

/** Sends requests whose cost is asked for, whatever they are answered with. Without a `Dearest` nothing is measured. */
export interface Caller {
  /** Intent, bytes, completion; the ready asset's id, or null where it was rejected. */
  readonly upload: (dearest: Dearest | null, what: string, file: Upload) => Promise<string | null>;
  readonly preview: (dearest: Dearest | null, what: string, body: unknown) => Promise<void>;
  /** Until the job has ended; the artifact's id, or null where there is none. */
  readonly job: (
    dearest: Dearest | null,
    what: string,
    body: unknown,
    credits: number,
  ) => Promise<string | null>;
  readonly read: <T>(dearest: Dearest, route: string, what: string, path: string) => Promise<T>;
  readonly send: (
    dearest: Dearest,
    route: string,
    what: string,
    path: string,
    body: unknown,
  ) => Promise<void>;
  readonly fetchAll: (dearest: Dearest, route: string, what: string, address: string) => Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: { readonly data?: unknown; readonly error?: { readonly code: string } } | null;
}

/** Asking seldom: each poll is work of the process that is measured. */
const POLL_MS = 400;

/** How a request ended, where that is worth saying. */
const endOf = ({ status, body }: Answer): string =>
  body?.error === undefined ? "" : ` (${status} ${body.error.code})`;

/** What a success carries. Throws where the service answered with something else. */
function dataOf<T>({ status, body }: Answer, what: string): T {
  if (body?.data === undefined) throw new Error(`${what}: answered ${status}`);
  return body.data as T;
}

export function createCaller(origin: string, secret: string): Caller {
  const key = { Authorization: `Bearer ${secret}` };
  const ask = async (method: string, path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(path.startsWith("/") ? `${origin}${path}` : path, {
      ...init,
      method,
      headers: { ...key, ...init.headers },
    });
    const text = await response.text();
    const isJson = response.headers.get("Content-Type")?.includes("json") === true;
    return { status: response.status, body: isJson ? JSON.parse(text) : null };
  };
  const post = (path: string, body: unknown): Promise<Answer> =>
    ask("POST", path, {
      headers: { "Content-Type": "application/json", "Idempotency-Key": randomUUID(), Origin: origin },
      body: JSON.stringify(body),
    });
  const measured = <T>(
    dearest: Dearest | null,
    route: string,
    credits: number,
    run: () => Promise<{ readonly value: T; readonly what: string }>,
  ): Promise<T> =>
    dearest === null ? run().then(({ value }) => value) : dearest.measure(route, credits, run);
  const answered = (dearest: Dearest | null, route: string, what: string, run: () => Promise<Answer>) =>
    measured(dearest, route, 0, async () => {
      const value = await run();
      return { value, what: `${what}${endOf(value)}` };
    });

  return {
    upload: async (dearest, what, { slotId, mimeType, bytes, size }) => {
      const created = await answered(dearest, "POST /assets/uploads", what, () =>
        post("/api/v1/assets/uploads", {
          slotId,
          fileName: `${slotId}.bin`,
          mimeType,
          byteLength: bytes.byteLength,
          ...size,
        }),
      );
      if (created.status !== 201) throw new Error(`${what}: an intent was refused with ${created.status}`);
      const { uploadId, assetId, url, method, headers } = dataOf<UploadIntentBody>(created, what);
      await answered(dearest, "PUT /assets/uploads/{uploadId}/object", what, () =>
        ask(method, url, { headers, body: bytes }),
      );
      const kind = slotId === "font" ? "font" : mimeType.replace("image/", "");
      const completed = await answered(
        dearest,
        `POST /assets/uploads/{uploadId}/complete, ${kind}`,
        what,
        () => post(`/api/v1/assets/uploads/${uploadId}/complete`, { assetId, byteLength: bytes.byteLength }),
      );
      return completed.status === 200 ? assetId : null;
    },
    preview: async (dearest, what, body) => {
      await answered(dearest, "POST /previews", what, () => post("/api/v1/previews", body));
    },
    job: (dearest, what, body, credits) =>
      measured(
        dearest,
        `POST /jobs, ${credits === 3 ? "animated" : credits === 1 ? "static" : "a whole pack"}`,
        credits,
        async () => {
          const created = await post("/api/v1/jobs", body);
          if (created.status !== 202) return { value: null, what: `${what}${endOf(created)}` };
          const { jobId } = dataOf<JobBody>(created, what);
          const ended = await until(
            async () => {
              const job = dataOf<JobBody>(await ask("GET", `/api/v1/jobs/${jobId}`), what);
              return job.status === "queued" || job.status === "running" ? null : job;
            },
            what,
            POLL_MS,
          );
          return {
            value: ended.artifactId,
            what: ended.failure === null ? what : `${what} (${ended.failure.code})`,
          };
        },
      ),
    read: async <T>(dearest: Dearest, route: string, what: string, path: string) =>
      dataOf<T>(await answered(dearest, route, what, () => ask("GET", path)), what),
    send: async (dearest, route, what, path, body) => {
      await answered(dearest, route, what, () => post(path, body));
    },
    fetchAll: async (dearest, route, what, address) => {
      await answered(dearest, route, what, () => ask("GET", address));
    },
  };
}
