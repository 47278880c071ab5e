/** A database, or a session of one: what reads, and does not mind which copy it reads. */
export type Reader = Pick<D1Database, "prepare" | "batch">;

/** A session that reads the latest state: for whatever decides about money or access. */
export const latest = (db: D1Database): D1DatabaseSession => db.withSession("first-primary");
