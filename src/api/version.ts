/** The interface version (API §9.1); every envelope carries it. */
export const API_VERSION = "2026-06-18" as const;
