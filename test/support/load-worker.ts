/** Loads the worker's lazy modules, so that no test's first request waits for compilation. */
import "#interface/openapi/document.ts";
import { loadConsumers, loadSweeps } from "#interface/queue/load-on-first-event.ts";
import { loadRoutes } from "#interface/routes/index.ts";

await Promise.all([loadRoutes(), loadConsumers(), loadSweeps()]);
