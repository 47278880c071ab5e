import { type UseQueryResult, useMutation, useQuery } from "@tanstack/react-query";
import { Link, useBlocker } from "@tanstack/react-router";
import type { SucceededJob } from "creative-packs";
import { unzipSync, Zip, ZipPassThrough } from "fflate";
import { Download, FileSpreadsheet } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { errorWords } from "#api/error-words.ts";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { draftsQuery, useDraftScope } from "#editor/draft/drafts.ts";
import { requestOfSize } from "#editor/grid/server-grid.tsx";
import { REST_MS, useCreditsLeft } from "#editor/order/order-bar.tsx";
import { Badge } from "#ui/badge.tsx";
import { Button, buttonStyle } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { EmptyState, Page } from "#ui/page.tsx";
import { Progress } from "#ui/progress.tsx";
import { saveAs } from "#ui/save-as.ts";
import { Select } from "#ui/select.tsx";
import { Table } from "#ui/table.tsx";
import { TextArea } from "#ui/text-field.tsx";
import { showErrorToast } from "#ui/toast.ts";
import { useDebounced } from "#ui/use-debounced.ts";
import example from "./example.csv?url";
import { type PlannedPack, readPackTable } from "./pack-table.ts";
import { baseQuery, type CheckedPack, isOrderable, usePacks } from "./use-packs.ts";

const HEADS = ["name", "language", "headline", "preview", "state"] as const;
const PACKS_MAX = 200;
const FILE_MEGABYTES_MAX = 2;

/** Many packs from one table: checked and priced row by row, ordered together, downloaded together. */
export function BulkPage() {
  const { t } = useTranslation("bulk");
  const workspaceId = useWorkspaceId();
  const scope = useDraftScope();
  const { data: drafts = [] } = useQuery(draftsQuery(scope));
  const [chosen, setChosen] = useState<string | null>(null);
  const draftId = chosen ?? drafts[0]?.draftId ?? "";
  const keptAs = `creative-packs.table.${scope}`;
  const [text, setText] = useState(() => sessionStorage.getItem(keptAs) ?? "");
  const rested = useDebounced(text, REST_MS);
  useEffect(() => {
    try {
      sessionStorage.setItem(keptAs, rested);
    } catch {
      // The table does not fit into sessionStorage, so it is also larger than the page accepts.
    }
  }, [keptAs, rested]);
  const read = useMutation({
    mutationFn: async (file: File) => (file.size > FILE_MEGABYTES_MAX * 1_048_576 ? null : file.text()),
    onSuccess: (words) => words !== null && setText(words),
    onError: showErrorToast,
  });
  const { data: base, error } = useQuery(baseQuery(workspaceId, draftId));
  const table = base === undefined || rested.trim() === "" ? undefined : readPackTable(rested, base);
  const count = table?.packs.length ?? 0;
  const notes = [
    read.data === null && t("tooLarge", { megabytes: FILE_MEGABYTES_MAX }),
    table === null && t("broken"),
    count > PACKS_MAX && t("tooLong", { count, max: PACKS_MAX }),
    table?.unused[0] && t("unused", { columns: table.unused.join(", ") }),
  ].filter((note) => typeof note === "string");
  return (
    <Page title={t("title")} lead={t("lead")}>
      <section className="flex flex-col gap-3 rounded-lg border border-line bg-card p-5">
        <Select
          label={t("design")}
          value={draftId}
          options={drafts.map(({ draftId: value, name, history: { present } }) => ({
            value,
            text: name || present.texts.headline || t("noName"),
          }))}
          onChange={setChosen}
        />
        <TextArea label={t("rows")} value={text} onChange={setText} />
        <p className="text-xs text-quiet">{t("columns")}</p>
        <div className="flex flex-wrap gap-2">
          <label className={`${buttonStyle()} focus-within:outline-2`}>
            <FileSpreadsheet className="size-4" />
            {t("choose")}
            <input
              type="file"
              accept=".csv,.tsv,.txt,text/csv"
              className="sr-only"
              onChange={({ currentTarget }) => {
                const file = currentTarget.files?.[0];
                // Lets the user choose the same file again.
                currentTarget.value = "";
                if (file !== undefined) read.mutate(file);
              }}
            />
          </label>
          <a href={example} download="packs.csv" className={buttonStyle("quiet")}>
            <Download className="size-4" />
            {t("example")}
          </a>
        </div>
        <ErrorNote error={error} />
        {notes.map((note) => (
          <p key={note} role="status" className="rounded-md bg-amber-soft px-3.5 py-2.5 text-sm">
            {note}
          </p>
        ))}
      </section>
      {table && count > 0 && count <= PACKS_MAX ? (
        <Packs packs={table.packs} />
      ) : (
        <EmptyState title={t("empty.title")} text={t("empty.text")} />
      )}
    </Page>
  );
}

/** Packs of a table, with buttons to order and download all. */
export function Packs({ packs }: { readonly packs: readonly PlannedPack[] }) {
  const { t } = useTranslation("bulk");
  const { t: editor } = useTranslation("editor");
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const { states, isOrdering, order } = usePacks(packs);
  // Navigating inside the Studio does not interrupt the orders; leaving it does.
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: isOrdering });
  const isChecking = states.some(({ isLoading }) => isLoading);
  const costs = states.flatMap(({ data }) => (data && isOrderable(data) ? [data.cost] : []));
  const credits = costs.reduce((sum, cost) => sum + cost, 0);
  const left = useCreditsLeft(credits);
  const ready = packs.flatMap(({ name }, at) => {
    const job = states[at]?.data?.job;
    return job?.status === "succeeded" ? [{ name, job }] : [];
  });
  const zip = useMutation({
    mutationFn: async (chosen: typeof ready) => {
      // Browsers may keep Blob parts on disk, so only one pack is in memory.
      const parts: Blob[] = [];
      const archive = new Zip((error, bytes) => {
        if (error) throw error;
        parts.push(new Blob([bytes]));
      });
      for (const { name, job } of chosen) {
        const files = unzipSync(await (await clientOf(workspaceId).packs.get(job.jobId)).zip());
        for (const [path, bytes] of Object.entries(files)) {
          // All files are compressed already.
          const file = new ZipPassThrough(`${name}/${path}`);
          archive.add(file);
          file.push(bytes, true);
        }
      }
      archive.end();
      return new Blob(parts, { type: "application/zip" });
    },
    onSuccess: (file, [one, ...others]) => saveAs(file, `${others.length > 0 ? "packs" : one?.name}.zip`),
    onError: showErrorToast,
  });
  const words = t("ready", { ready: ready.length, count: packs.length });
  return (
    <>
      <Table label={t("packs")} heads={HEADS.map((head) => t(`heads.${head}`))}>
        {packs.map((pack, at) => {
          const state = states[at];
          const onZip = (job: SucceededJob): void => zip.mutate([{ name: pack.name, job }]);
          return state && <PackRow key={pack.name} pack={pack} state={state} onZip={onZip} />;
        })}
      </Table>
      <section
        aria-label={editor("order.label")}
        className="sticky bottom-0 z-10 flex flex-wrap items-center gap-3 border-t border-line bg-paper/95 py-3"
      >
        <div role="status" className="min-w-60 flex-1 text-sm tabular-nums">
          <p className="font-medium">{isChecking ? t("checking") : words}</p>
          {credits > 0 && <p className="text-xs text-quiet">{left.words}</p>}
        </div>
        {ready.length > 0 && (
          <Button isBusy={zip.isPending} onClick={() => zip.mutate(ready)}>
            {t("zip", { count: ready.length })}
          </Button>
        )}
        {(isOrdering || costs.length > 0) && (
          <Button
            kind="primary"
            isBusy={isOrdering}
            disabled={!isOwner || left.isShort || isChecking}
            onClick={order}
          >
            {t(left.isUnlimited ? "order.free" : "order.paid", { count: costs.length, credits })}
          </Button>
        )}
        {isOrdering && <Progress label={words} share={ready.length / packs.length} />}
      </section>
    </>
  );
}

interface PackRowProps {
  readonly pack: PlannedPack;
  readonly state: UseQueryResult<CheckedPack>;
  readonly onZip: (job: SucceededJob) => void;
}

/** A table row: errors, price, progress and files of a pack. */
function PackRow({ pack: { name, request, faults }, state, onZip }: PackRowProps) {
  const { t } = useTranslation("bulk");
  const { t: common } = useTranslation();
  const { t: editor } = useTranslation("editor");
  const workspaceId = useWorkspaceId();
  const { data, error, isLoading } = state;
  // The preview shows only the first size, rendered by the service.
  const preview = useMutation({
    mutationFn: async ({ request: pack }: CheckedPack) =>
      clientOf(workspaceId).previews.create(requestOfSize(pack, pack.selectedSizeIds[0] ?? "")),
    onError: showErrorToast,
  });
  const image = preview.data && `data:image/png;base64,${preview.data.image.base64}`;
  const job = data?.job;
  const faultWords = [
    ...faults.map(({ kind, ...fault }) => t(`fault.${kind}`, fault)),
    ...(error === null ? [] : [errorWords(error, common).text]),
    ...(job?.failure ? [editor(`order.failure.${job.failure.code}`)] : []),
  ];
  return (
    <tr>
      <td className="font-medium">{name}</td>
      <td>{request.copy?.language}</td>
      <td className="min-w-48">{request.copy?.headline}</td>
      <td>
        {image && <img src={image} alt={t("previewOf", { name })} className="max-h-24 max-w-48" />}
        {data && !image && (
          <Button
            aria-label={`${t("heads.preview")}: ${name}`}
            isBusy={preview.isPending}
            onClick={() => preview.mutate(data)}
          >
            {t("heads.preview")}
          </Button>
        )}
      </td>
      <td className="min-w-56">
        {faultWords.map((words) => (
          <p key={words} className="text-red">
            {words}
          </p>
        ))}
        {isLoading && t("checking")}
        {data && isOrderable(data) && editor("sizes.credits", { count: data.cost })}
        {job?.artifactId === null && !job.finishedAt && <Badge>{t("drawing", job.progress)}</Badge>}
        {job?.status === "succeeded" && (
          <span className="flex items-center gap-2">
            <Badge tone="good">{t("done")}</Badge>
            <Link
              to="/w/$workspaceId/packs/$artifactId"
              params={{ workspaceId, artifactId: job.artifactId }}
              aria-label={`${t("open")}: ${name}`}
              className="text-accent underline underline-offset-2"
            >
              {t("open")}
            </Link>
            <Button kind="quiet" aria-label={`ZIP: ${name}`} onClick={() => onZip(job)}>
              ZIP
            </Button>
          </span>
        )}
      </td>
    </tr>
  );
}
