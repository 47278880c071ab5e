/** A database, or a session of one: what reads, and does not mind which copy it reads. */
export type Reader = Pick<D1Database, "prepare" | "batch">;
