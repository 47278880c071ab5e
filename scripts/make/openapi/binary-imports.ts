import { registerHooks } from "node:module";

/**
 * Lets Node.js load the worker's modules: WASM and fonts, which wrangler bundles, load as empty, and the platform's
 * module has no bindings. Enough to describe routes, not to render. Import it before anything of `src/`.
 */
const BINARY = /\.(wasm|ttf|weights)$|^cloudflare:workers$/;

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    BINARY.test(specifier)
      ? { url: `binary:${encodeURIComponent(specifier)}`, shortCircuit: true }
      : nextResolve(specifier, context),
  load: (url, context, nextLoad) =>
    url.startsWith("binary:")
      ? { format: "module", source: "export default undefined; export const env = {};", shortCircuit: true }
      : nextLoad(url, context),
});
