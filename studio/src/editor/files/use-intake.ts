import type { SlotId } from "creative-packs-service/slots";
import { useState } from "react";
import type { Engine } from "#engine/types.ts";
import type { DraftFile, Files } from "../draft/draft.ts";
import { useDraftId, useEdit, useEditorStore } from "../draft/editor-store.ts";
import { setFiles } from "../draft/edits.ts";
import { keepFile } from "../draft/file-bytes.ts";
import { converterWith } from "./convert-file.ts";
import { addFile, guessSlot, slotOfCutOut, takes } from "./guess-slot.ts";
import { type FileFault, inspectFile, type KnownPhoto } from "./inspect-file.ts";

/** A file being added to the draft. Without a slot, one is guessed. */
export interface Incoming {
  readonly blob: Blob;
  readonly name: string;
  readonly slot?: SlotId;
}

export const incomingOf = (files: FileList | null): Incoming[] =>
  Array.from(files ?? [], (file) => ({ blob: file, name: file.name }));

/** A rejected file. */
export interface Refused {
  readonly id: string;
  readonly name: string;
  readonly fault: FileFault;
}

export type Intake = ReturnType<typeof useIntake>;

interface Taken {
  readonly file: DraftFile;
  readonly slot: SlotId | undefined;
}

/** `engine` detects people in cut-outs; null if it is not loaded. */
export function useIntake(engine: Engine | null) {
  const draftId = useDraftId();
  const edit = useEdit();
  const store = useEditorStore();
  const [readingCount, setReadingCount] = useState(0);
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  /** Whether the browser failed to store a file, so that it is lost when the page is left. */
  const [hasKeepFailed, setHasKeepFailed] = useState(false);

  /** Lets the engine open a photo while the page still makes its thumbnail and stores it. */
  const expectPhoto = (photo: KnownPhoto, name: string, chosen: SlotId | undefined): void => {
    const { sha256, mimeType, width, height, bytes } = photo;
    const { files } = store.getState().history.present;
    const slot = chosen ?? guessSlot({ name, mimeType, width, height, isCutOut: false }, files);
    engine?.expect(slot, { id: sha256, mimeType, file: bytes });
  };

  const read = async ({ blob, name, slot }: Incoming, isFirst: boolean): Promise<Taken | null> => {
    const inspected = await inspectFile(blob, name, converterWith(engine), (photo) => {
      // Only for the first file. Any later file is drawn together with the files before it, which the engine does not
      // know yet.
      if (isFirst) expectPhoto(photo, name, slot);
    });
    if (!inspected.ok) {
      setRefused((others) => [...others, { id: crypto.randomUUID(), name, fault: inspected.fault }]);
      return null;
    }
    // Do not wait until the file is stored, because the page has the bytes.
    void keepFile(draftId, inspected.file.sha256, inspected.kept).then(
      (isKept) => isKept || setHasKeepFailed(true),
    );
    return {
      file: inspected.file,
      slot: slot ?? (await slotByPixels(engine, inspected.file, inspected.kept.bytes)),
    };
  };

  /** Reads files and puts the accepted files into slots, as one undo step. Resolves to the number of accepted files. */
  const take = async (incoming: readonly Incoming[]): Promise<number> => {
    setRefused([]);
    setReadingCount((count) => count + incoming.length);
    try {
      const taken: Taken[] = [];
      // Read one file after the other, because a phone has memory for only one large picture.
      for (const [index, one] of incoming.entries()) {
        const file = await read(one, index === 0);
        if (file !== null) taken.push(file);
      }
      if (taken.length > 0) edit((draft) => setFiles(draft, withAll(draft.files, taken)));
      return taken.length;
    } finally {
      setReadingCount((count) => count - incoming.length);
    }
  };

  const dismiss = (id: string): void => setRefused((all) => all.filter((one) => one.id !== id));
  return { take, readingCount, refused, dismiss, hasKeepFailed };
}

/** Slot of a cut-out by its content; undefined for other files, and if the engine cannot open it. */
async function slotByPixels(
  engine: Engine | null,
  file: DraftFile,
  bytes: Blob,
): Promise<SlotId | undefined> {
  const { sha256, mimeType } = file;
  if (engine === null || !file.isCutOut || mimeType === "image/svg+xml") return undefined;
  const facts = await engine.examine({ id: sha256, mimeType, file: bytes });
  if (!facts.ok) return undefined;
  const slot = slotOfCutOut(facts.value);
  return takes(slot, file) ? slot : undefined;
}

const withAll = (files: Files, taken: readonly Taken[]): Files =>
  taken.reduce((now, { file, slot }) => addFile(now, slot ?? guessSlot(file, now), file), files);
