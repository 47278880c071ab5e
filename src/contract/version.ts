/** The interface version (contract §9); every envelope carries it. */
export const API_VERSION = "2026-06-18" as const;
