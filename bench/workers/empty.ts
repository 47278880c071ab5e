/** An empty worker: the cost of the runtime's own start. */
export default { fetch: () => new Response(null, { status: 204 }) } satisfies ExportedHandler;
