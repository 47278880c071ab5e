import { expect, it } from "vitest";
import { ApiError, CreativePacks, InsufficientCreditsError } from "../../sdk/src/index.ts";

/** Usage summaries, and the error of an exhausted budget. */

const clientThat = (answer: (url: URL, headers: Headers) => Response) =>
  new CreativePacks({
    apiKey: "cpk_live_test",
    baseUrl: "https://packs.example",
    fetch: async (url, init) => answer(new URL(url), new Headers(init.headers)),
  });

it("a summary request contains the grouping, and a CSV summary resolves to text", async () => {
  const sent: string[] = [];
  const client = clientThat((url, headers) => {
    sent.push(`${url.pathname}${url.search} ${headers.get("Accept")}`);
    const isTable = url.searchParams.get("format") === "csv";
    return isTable ? new Response("day,jobs\r\n") : Response.json({ ok: true, data: {}, meta: {} });
  });
  await client.usage.summary({ from: "2026-11-01", groupBy: ["day", "key"] });
  expect(await client.usage.summaryCsv({ groupBy: [] })).toBe("day,jobs\r\n");
  await client.usage.statement("2026-11");
  expect(sent).toEqual([
    "/api/v1/usage/summary?from=2026-11-01&groupBy=day%2Ckey application/json",
    "/api/v1/usage/summary?groupBy=&format=csv text/csv",
    "/api/v1/usage/statement?month=2026-11 application/json",
  ]);
});

it("BUDGET_EXHAUSTED throws InsufficientCreditsError with its details", async () => {
  const details = {
    required: 3,
    available: 1,
    resetsAt: "2026-11-24T00:00:00.000Z",
    safeToRetryUnchanged: false,
  };
  const error = { code: "BUDGET_EXHAUSTED", message: "No more today.", details };
  const client = clientThat(() => Response.json({ ok: false, error, meta: {} }, { status: 402 }));
  const order = { contractId: "display.v1", selectedSizeIds: ["iab-320x50"], assetIds: {} };
  const thrown: unknown = await client.jobs.create(order).catch((caught: unknown) => caught);
  expect(thrown).toBeInstanceOf(InsufficientCreditsError);
  expect(thrown instanceof ApiError && [thrown.code, thrown.details.resetsAt, thrown.isRetryable]).toEqual([
    "BUDGET_EXHAUSTED",
    details.resetsAt,
    false,
  ]);
});
