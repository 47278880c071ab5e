/** Time for which the blob URL stays valid, so that the browser can start saving the file. */
const KEPT_MS = 60_000;

/** Saves a file through the browser's download. */
export function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
