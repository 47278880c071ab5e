import { useQuery } from "@tanstack/react-query";
import type { Service } from "creative-packs";
import type { ReactNode } from "react";
import { ErrorNote } from "#ui/form.tsx";
import { Loading } from "#ui/page.tsx";
import { serviceQuery } from "./queries.ts";

/** Renders children once the service's features are loaded; until then a loading or error state. */
export function KnownService({ children }: { readonly children: (service: Service) => ReactNode }) {
  const { data, error } = useQuery(serviceQuery);
  if (data !== undefined) return children(data);
  return error === null ? <Loading /> : <ErrorNote error={error} />;
}
