import { queryOptions } from "@tanstack/react-query";
import { openClient } from "#api/client.ts";

/** The pack as whoever has the link sees it. */
export const sharedPackQuery = (token: string) =>
  queryOptions({
    queryKey: ["shared", token],
    queryFn: ({ signal }) => openClient.shares.visit(token, { signal }),
  });
