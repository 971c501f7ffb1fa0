import type { DragEvent } from 'react';
import { useActions, useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { isLeftOut } from '@/lib/cards/left-out';
import { droppedEntries } from '@/lib/client/dropped-entries';
import { readDropped } from '@/lib/client/source-files';
import type { ChosenFile } from '@/lib/editor/upload-commands';

/** A zip that unpacks to more is refused, so that it does not fill the memory of the tab. */
const mostUnpacked = 100 * 1024 * 1024;

/** Accepts cards, folders and zips that are dropped or pasted on the canvas. Returns true if the event was one of files. */
export function useFileDrop() {
  const commands = useCommands();
  const actions = useActions();
  const read = useReadProject();

  async function bring(data: DataTransfer): Promise<void> {
    const entries = droppedEntries(data);
    // Some browsers have no entries for what is pasted, but the files themselves.
    const plain = [...data.files].map((file) => ({ path: file.name, file }));
    try {
      const { name, files } = entries.length > 0 ? await readDropped<File>(entries) : { name: undefined, files: plain };
      const [only] = files;
      const isZip = files.length === 1 && only !== undefined && /\.zip$/i.test(only.path);
      const chosen = isZip ? await filesOfZip(only.file) : files.map(({ path, file }) => chosenFile(path, file));
      const what = name ?? (files.length === 1 ? (only?.path ?? '') : `${files.length} files`);
      await commands.bringFiles(what, chosen);
    } catch (error) {
      const why = error instanceof TooLarge ? error.message : 'The browser could not read the files.';
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
      void bring(event.dataTransfer);
      return true;
    },
    paste(data: DataTransfer): boolean {
      const files = [...data.files];
      if (files.length === 0 || !read().mayEdit) return false;
      // A text that is copied in an office program comes with a picture of itself.
      if (data.getData('text/plain').trim() !== '' && files.every(({ type }) => type.startsWith('image/')))
        return false;
      void bring(data);
      return true;
    },
  };
}

function chosenFile(path: string, file: File): ChosenFile {
  return { path, size: file.size, read: async () => new Uint8Array(await file.arrayBuffer()) };
}

class TooLarge extends Error {}

async function filesOfZip(file: File): Promise<ChosenFile[]> {
  const { unzipped } = await import('@/lib/client/unzip');
  let size = 0;
  const files = await unzipped(new Uint8Array(await file.arrayBuffer()), ({ name, originalSize }) => {
    size += originalSize;
    return size <= mostUnpacked && !name.endsWith('/') && !isLeftOutPath(name);
  });
  if (size > mostUnpacked)
    throw new TooLarge('The zip unpacks to more than 100 MB. Drop the folder of its cards instead.');
  return Object.entries(files).map(([path, content]) => ({
    path,
    size: content.length,
    read: async () => new Uint8Array(content),
  }));
}

/** True for a path that an import leaves out too, such as one in `.git`. */
function isLeftOutPath(path: string): boolean {
  const parts = path.split('/');
  return parts.some((_, at) => isLeftOut(parts.slice(0, at + 1).join('/'), at < parts.length - 1));
}
