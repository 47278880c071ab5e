/** An empty worker, to measure the start of the runtime. */
export default { fetch: () => new Response(null, { status: 204 }) } satisfies ExportedHandler;
