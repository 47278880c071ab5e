/**
 * A first pack in a few languages, as the page at `/` shows it: from a photo of this origin to a ZIP. Each is run by
 * test/conformance/shown-code.long.test.ts as it is shown, with `KEY` in the environment. The
 * photo is one of samples/ (scripts/make-docs.ts), of 1600 x 1600 pixels.
 */

export interface ShownCode {
  readonly language: string;
  readonly text: string;
}

const PACK = `{"contractId": "display.v1", "selectedSizeIds": ["iab-300x250", "iab-728x90", "gads-300x600"],
  "outputFormat": "jpg", "copy": {"headline": "A meadow in a bottle", "cta": "See the oil"}, "assetIds": {"media": `;

/** How a trial's key is claimed; it leaves KEY in the shell. */
export const claimCode = (origin: string): string =>
  `export KEY=$(curl -sS --fail-with-body ${origin}/api/v1/agent/trial-key \\
  -H 'Content-Type: application/json' -d '{}' | sed 's/.*"secret":"\\([^"]*\\)".*/\\1/')
echo "$KEY"`;

const curlCode = (origin: string): string => `(
set -e
ORIGIN=${origin}
member() { sed -n "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/p" answer.json; }
api() {
  curl -sS --fail-with-body -o answer.json -H "Authorization: Bearer $KEY" \\
    -H "Idempotency-Key: $(date +%s)-$RANDOM" "$@" && return
  cat answer.json >&2
  return 1
}
json() { api -H 'Content-Type: application/json' "$ORIGIN$1" -d "$2"; }

curl -sS --fail -o photo.jpg $ORIGIN/docs/photo.jpg
BYTES=$(wc -c < photo.jpg | tr -d ' ')
json /api/v1/assets/uploads '{"slotId": "media", "fileName": "photo.jpg", "mimeType": "image/jpeg",
  "byteLength": '$BYTES', "width": 1600, "height": 1600}'
ASSET=$(member assetId)
UPLOAD=$(member uploadId)
api -X PUT -H 'Content-Type: image/jpeg' --data-binary @photo.jpg "$(member url)"
json /api/v1/assets/uploads/$UPLOAD/complete '{"assetId": "'$ASSET'", "byteLength": '$BYTES'}'

json /api/v1/jobs '${PACK}"'$ASSET'"}}'
JOB=$(member jobId)
until member status | grep -E 'succeeded|failed|canceled'; do sleep 2; api $ORIGIN/api/v1/jobs/$JOB; done
[ "$(member status)" = succeeded ] || { cat answer.json >&2; exit 1; }
api $ORIGIN/api/v1/artifacts/$(member artifactId)/download
curl -sS --fail -o pack.zip "$(sed 's/.*"data":{[^[]*"url":"\\([^"]*\\)".*/\\1/' answer.json)"
ls -l pack.zip
)`;

const nodeCode = (origin: string): string => `import { writeFile } from "node:fs/promises";

const origin = "${origin}";
const api = async (method, path, body, type = "application/json") => {
  const response = await fetch(new URL(path, origin), {
    method,
    headers: {
      Authorization: \`Bearer \${process.env.KEY}\`,
      "Idempotency-Key": crypto.randomUUID(),
      ...(body && { "Content-Type": type }),
    },
    body: body && type === "application/json" ? JSON.stringify(body) : body,
  });
  if (response.status === 204) return null;
  const { data, error } = await response.json();
  if (error) throw new Error(\`\${error.code}: \${error.message} \${error.details.nextAction}\`);
  return data;
};

const photo = Buffer.from(await (await fetch(\`\${origin}/docs/photo.jpg\`)).arrayBuffer());
const byteLength = photo.length;
const { uploadId, assetId, url } = await api("POST", "/api/v1/assets/uploads", {
  slotId: "media", fileName: "photo.jpg", mimeType: "image/jpeg", byteLength, width: 1600, height: 1600,
});
await api("PUT", url, photo, "image/jpeg");
await api("POST", \`/api/v1/assets/uploads/\${uploadId}/complete\`, { assetId, byteLength });

let job = await api("POST", "/api/v1/jobs", {
  contractId: "display.v1",
  selectedSizeIds: ["iab-300x250", "iab-728x90", "gads-300x600"],
  outputFormat: "jpg",
  assetIds: { media: assetId },
  copy: { headline: "A meadow in a bottle", cta: "See the oil" },
});
while (job.status === "queued" || job.status === "running") {
  await new Promise((done) => setTimeout(done, 2000));
  job = await api("GET", \`/api/v1/jobs/\${job.jobId}\`);
}
if (job.status !== "succeeded") throw new Error(job.failure?.message ?? job.status);

const pack = await api("GET", \`/api/v1/artifacts/\${job.artifactId}/download\`);
await writeFile("pack.zip", Buffer.from(await (await fetch(pack.url)).arrayBuffer()));
console.log("pack.zip");`;

const pythonCode = (origin: string): string => `import os, time, uuid
import requests

ORIGIN = "${origin}"

def api(method, path, **sent):
    url = path if path.startswith("http") else ORIGIN + path
    headers = {"Authorization": f"Bearer {os.environ['KEY']}", "Idempotency-Key": str(uuid.uuid4())}
    headers.update(sent.pop("headers", {}))
    response = requests.request(method, url, headers=headers, timeout=60, **sent)
    if response.status_code == 204:
        return None
    answer = response.json()
    if not answer["ok"]:
        error = answer["error"]
        raise SystemExit(f"{error['code']}: {error['message']} {error['details']['nextAction']}")
    return answer["data"]

photo = requests.get(ORIGIN + "/docs/photo.jpg", timeout=60).content
upload = api("POST", "/api/v1/assets/uploads", json={
    "slotId": "media", "fileName": "photo.jpg", "mimeType": "image/jpeg",
    "byteLength": len(photo), "width": 1600, "height": 1600,
})
api("PUT", upload["url"], data=photo, headers={"Content-Type": "image/jpeg"})
api("POST", f"/api/v1/assets/uploads/{upload['uploadId']}/complete",
    json={"assetId": upload["assetId"], "byteLength": len(photo)})

job = api("POST", "/api/v1/jobs", json={
    "contractId": "display.v1",
    "selectedSizeIds": ["iab-300x250", "iab-728x90", "gads-300x600"],
    "outputFormat": "jpg",
    "assetIds": {"media": upload["assetId"]},
    "copy": {"headline": "A meadow in a bottle", "cta": "See the oil"},
})
while job["status"] in ("queued", "running"):
    time.sleep(2)
    job = api("GET", f"/api/v1/jobs/{job['jobId']}")
if job["status"] != "succeeded":
    raise SystemExit((job["failure"] or {}).get("message", job["status"]))

pack = api("GET", f"/api/v1/artifacts/{job['artifactId']}/download")
with open("pack.zip", "wb") as file:
    file.write(requests.get(pack["url"], timeout=60).content)
print("pack.zip")`;

/** The same pack in each language, for one origin. */
export const firstPackCode = (origin: string): readonly ShownCode[] => [
  { language: "curl", text: curlCode(origin) },
  { language: "Node.js", text: nodeCode(origin) },
  { language: "Python", text: pythonCode(origin) },
];
