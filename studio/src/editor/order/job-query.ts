import { queryOptions } from "@tanstack/react-query";
import type { Job } from "creative-packs";
import { clientOf } from "#api/client.ts";

const POLL_MS = 1_500;

/** Whether there is more to come of a job. */
export const isOpen = ({ status }: Job): boolean => status === "queued" || status === "running";

/** A job, looked at again and again until it has ended. */
export const jobQuery = (workspaceId: string, jobId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "job", jobId],
    queryFn: ({ signal }): Promise<Job> => Promise.resolve(clientOf(workspaceId).jobs.get(jobId, { signal })),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data === undefined || isOpen(state.data) ? POLL_MS : false),
  });
