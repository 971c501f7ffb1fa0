import type { DragEvent } from 'react';
import { useActions, useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { isLeftOut } from '@/lib/cards/left-out';
import { droppedEntries } from '@/lib/client/dropped-entries';
import { readDropped } from '@/lib/client/source-files';
import type { ChosenFile } from '@/lib/editor/upload-commands';

/** A zip that unpacks to more is refused, so that it does not fill the memory of the tab. */
const mostUnpacked = 100 * 1024 * 1024;

/** Accepts cards, folders and zips that are dropped on the canvas. Returns true if the event was one of files. */
export function useFileDrop() {
  const commands = useCommands();
  const actions = useActions();
  const read = useReadProject();

  async function bring(event: DragEvent): Promise<void> {
    const entries = droppedEntries(event.dataTransfer);
    try {
      const { name, files } = await readDropped<File>(entries);
      const [only] = files;
      const isZip = files.length === 1 && only !== undefined && /\.zip$/i.test(only.path);
      const chosen = isZip ? await unzipped(only.file) : files.map(({ path, file }) => chosenFile(path, file));
      const what = name ?? (files.length === 1 ? (only?.path ?? '') : `${files.length} files`);
      await commands.bringFiles(what, chosen);
    } catch (error) {
      const why = error instanceof TooLarge ? error.message : 'The browser could not read what was dropped.';
      actions.notify({ tone: 'bad', text: why });
    }
  }

  return {
    over(event: DragEvent): boolean {
      if (!event.dataTransfer.types.includes('Files') || !read().mayEdit) return false;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      return true;
    },
    drop(event: DragEvent): boolean {
      if (!event.dataTransfer.types.includes('Files') || !read().mayEdit) return false;
      event.preventDefault();
      void bring(event);
      return true;
    },
  };
}

function chosenFile(path: string, file: File): ChosenFile {
  return { path, size: file.size, read: async () => new Uint8Array(await file.arrayBuffer()) };
}

class TooLarge extends Error {}

async function unzipped(file: File): Promise<ChosenFile[]> {
  const [bytes, { unzip }] = [new Uint8Array(await file.arrayBuffer()), await import('fflate')];
  let size = 0;
  const files = await new Promise<Record<string, Uint8Array>>((resolve, reject) => {
    const filter = ({ name, originalSize }: { readonly name: string; readonly originalSize: number }) => {
      size += originalSize;
      return size <= mostUnpacked && !name.endsWith('/') && !isOfTools(name);
    };
    unzip(bytes, { filter }, (error, found) => (error === null ? resolve(found) : reject(error)));
  });
  if (size > mostUnpacked)
    throw new TooLarge('The zip unpacks to more than 100 MB. Drop the folder of its cards instead.');
  return Object.entries(files).map(([path, content]) => ({
    path,
    size: content.length,
    read: async () => new Uint8Array(content),
  }));
}

/** True for files of tools, such as `.git`, which are no part of a project. */
function isOfTools(path: string): boolean {
  const parts = path.split('/');
  return parts.some((_, at) => isLeftOut(parts.slice(0, at + 1).join('/'), at < parts.length - 1));
}
