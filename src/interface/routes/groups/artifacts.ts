import type { Route } from "#interface/http/route.ts";
import { getArtifactRoute, listArtifactsRoute } from "../artifacts/artifacts.ts";
import {
  downloadArtifactFileRoute,
  downloadLinkRoute,
  getArtifactDownloadRoute,
} from "../artifacts/downloads.ts";

export const routes: readonly Route[] = [
  listArtifactsRoute,
  getArtifactRoute,
  getArtifactDownloadRoute,
  downloadArtifactFileRoute,
  downloadLinkRoute,
];
