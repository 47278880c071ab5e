import { ApiError } from "creative-packs";

/** Whether the service did not take a link's secret: it has expired, was used, or is not whole. */
export const isLinkOver = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "LINK_INVALID";
