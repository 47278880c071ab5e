/** A database or a session, for reads from any replica. */
export type Reader = Pick<D1Database, "prepare" | "batch">;

/** A session that reads the latest state, required for decisions about money or access. */
export const latest = (db: D1Database): D1DatabaseSession => db.withSession("first-primary");
