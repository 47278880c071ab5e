import { useMutation, useQuery } from "@tanstack/react-query";
import { ConnectionError } from "creative-packs";
import { BRAND_ASSET_SLOTS, type BrandAssetName, SLOTS } from "creative-packs-service/slots";
import { Upload } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { converterWith } from "#editor/files/convert-file.ts";
import { inspectFile } from "#editor/files/inspect-file.ts";
import { Button, buttonStyle } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { useBlobUrl } from "#ui/use-blob-url.ts";
import { brandFileQuery } from "./brand-queries.ts";

/** Fixed light and dark backgrounds, independent of the page's theme. */
const BACKGROUNDS = { light: "bg-white text-black", dark: "bg-[#1b1f1c] text-white" } as const;

interface BrandLogoProps {
  readonly assetId: string | undefined;
  readonly on: keyof typeof BACKGROUNDS;
  /** Shown if there is no picture. */
  readonly text: ReactNode;
}

/** A brand's logo on a light or dark background. */
export function BrandLogo({ assetId, on, text }: BrandLogoProps) {
  const { data } = useQuery(brandFileQuery(useWorkspaceId(), assetId));
  const address = useBlobUrl((assetId && data?.kept.thumbnail) || null);
  return (
    <span className={`flex h-28 min-w-0 flex-1 items-center justify-center p-5 ${BACKGROUNDS[on]}`}>
      {address === null ? (
        <span className="truncate">{text}</span>
      ) : (
        <img src={address} alt="" className="size-full object-contain" />
      )}
    </span>
  );
}

/** Mutation key of a brand form's uploads. */
export const UPLOAD_KEY = ["brand-upload"];

interface BrandFileFieldProps {
  readonly name: BrandAssetName;
  readonly assetId: string | undefined;
  readonly onChange: (assetId: string | undefined) => void;
}

/** Field for a brand's logo or font. */
export function BrandFileField({ name, assetId, onChange }: BrandFileFieldProps) {
  const { t } = useTranslation("brands");
  const workspaceId = useWorkspaceId();
  const slot = BRAND_ASSET_SLOTS[name];
  const { data } = useQuery(brandFileQuery(workspaceId, assetId));
  const upload = useMutation({
    mutationKey: UPLOAD_KEY,
    mutationFn: async (given: File) => {
      const inspected = await inspectFile(given, given.name, converterWith(null));
      const bytes = inspected.ok ? inspected.kept.bytes : given;
      const name = inspected.ok ? inspected.file.name : given.name;
      return clientOf(workspaceId).assets.upload(bytes, { slot, name });
    },
    onSuccess: (asset) => onChange(asset.assetId),
  });
  const label = t(`files.${name}`);
  const fileName = (assetId && data?.file.name) ?? t("noFile");
  const action = t(assetId === undefined ? "upload" : "replace");
  const input = (
    <input
      id={name}
      type="file"
      aria-label={t("fileOf", { action, name: label })}
      accept={[...SLOTS[slot].accepts, ...(slot === "font" ? [".woff", ".woff2"] : [])].join(",")}
      className="absolute inset-0 cursor-pointer opacity-0"
      onChange={({ currentTarget }) => {
        const file = currentTarget.files?.[0];
        // Lets the user choose the same file again.
        currentTarget.value = "";
        if (file !== undefined) upload.mutate(file);
      }}
    />
  );
  const buttons = (
    <span className="ml-auto flex *:px-2!">
      <label
        htmlFor={name}
        hidden={slot === "logo" && assetId === undefined && !upload.isPending}
        className={`${buttonStyle("link")} relative cursor-pointer has-focus-visible:outline-2`}
      >
        {upload.isPending ? t("uploading") : action}
        {slot === "font" && input}
      </label>
      {assetId !== undefined && (
        <Button
          kind="link"
          aria-label={t("fileOf", { action: t("remove"), name: label })}
          onClick={() => onChange(undefined)}
        >
          {t("remove")}
        </Button>
      )}
    </span>
  );
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="-mr-2 flex h-5 items-center text-sm">
        <span className="font-medium">{label}</span>
        {slot === "logo" && buttons}
      </div>
      {slot === "font" ? (
        <div className="flex items-center gap-2 rounded-md border border-line bg-card pl-3 text-sm">
          <span className="truncate text-quiet">{fileName}</span>
          {buttons}
        </div>
      ) : (
        <span
          className={`relative flex overflow-hidden rounded-md border ${assetId === undefined ? "border-dashed border-strong-line" : "border-line"} has-focus-visible:outline-2 hover:border-ink`}
        >
          <BrandLogo
            assetId={assetId}
            on={name === "logoOnDark" ? "dark" : "light"}
            text={
              assetId === undefined ? (
                <span className="flex flex-col items-center gap-2 text-sm">
                  <Upload size={20} />
                  <span className="max-sm:hidden">{t("dropLogo")}</span>
                  <span className="sm:hidden">{t("chooseLogo")}</span>
                </span>
              ) : (
                fileName
              )
            }
          />
          {input}
        </span>
      )}
      <ErrorNote error={upload.error}>
        {upload.error instanceof ConnectionError ? undefined : t(slot === "logo" ? "badLogo" : "badFont")}
      </ErrorNote>
    </div>
  );
}
