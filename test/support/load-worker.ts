/** Loads what the worker loads at the first event of a kind: no test's first request waits until it is compiled. */
import "#interface/openapi/document.ts";
import { loadConsumers, loadSweeps } from "#interface/queue/load-on-first-event.ts";
import { loadRoutes } from "#interface/routes/index.ts";

await Promise.all([loadRoutes(), loadConsumers(), loadSweeps()]);
