import { expect } from "vitest";
import { photoOf } from "./support/files.ts";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace } from "./support/studio.ts";

test("text from an office program is pasted as text, although the clipboard also has a picture of it", async ({
  studio,
}) => {
  const { page, person } = await openSignedIn(studio, 0);
  await openWorkspace(page, person.workspaceId, "create");
  const headline = page.getByLabel("Headline", { exact: true });
  await headline.waitFor();
  const photo = (await photoOf(600, 400)).buffer.toString("base64");
  const paste = (selector: string, words: string | null) => `(() => {
    const bytes = Uint8Array.from(atob(${JSON.stringify(photo)}), (one) => one.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], "pasted.jpg", { type: "image/jpeg" }));
    if (${words !== null}) clipboardData.setData("text/plain", ${JSON.stringify(words)});
    const pasted = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    return document.querySelector(${JSON.stringify(selector)}).dispatchEvent(pasted);
  })()`;
  const field = `#${await headline.getAttribute("id")}`;
  // The page leaves this paste to the browser, which inserts the text.
  expect(await page.evaluate(paste(field, "Two wheels"))).toBe(true);
  expect(await page.evaluate(paste(field, null))).toBe(false);
  await page.getByText("pasted.jpg", { exact: true }).waitFor();
  expect(await page.evaluate(paste("body", "a table's cells"))).toBe(false);
});
