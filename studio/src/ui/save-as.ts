/** How long the browser may take to begin with a file that it was handed. */
const KEPT_MS = 60_000;

/** Hands the person a file to save. */
export function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
