import type { Route } from "#interface/http/route.ts";
import { downloadArtifactFileRoute } from "../artifacts/download-artifact-file.ts";
import { downloadLinkRoute } from "../artifacts/download-link.ts";
import { getArtifactRoute } from "../artifacts/get-artifact.ts";
import { getArtifactDownloadRoute } from "../artifacts/get-artifact-download.ts";
import { listArtifactsRoute } from "../artifacts/list-artifacts.ts";

export const routes: readonly Route[] = [
  listArtifactsRoute,
  getArtifactRoute,
  getArtifactDownloadRoute,
  downloadArtifactFileRoute,
  downloadLinkRoute,
];
