/** A worker that does nothing: what the runtime's own start costs. */
export default { fetch: () => new Response(null, { status: 204 }) } satisfies ExportedHandler;
