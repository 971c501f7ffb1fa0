import { unzipped } from '@/lib/client/unzip';

/** A folder that the person chose, as far as it is used here (https://wicg.github.io/file-system-access/). */
interface ChosenFolder {
  getDirectoryHandle(name: string, options: { readonly create: true }): Promise<ChosenFolder>;
  getFileHandle(
    name: string,
    options: { readonly create: true },
  ): Promise<{ createWritable(): Promise<{ write(bytes: Uint8Array): Promise<void>; close(): Promise<void> }> }>;
}

type ChooseFolder = (options: { readonly mode: 'readwrite' }) => Promise<ChosenFolder>;

/** Returns the browser's chooser of folders, or `undefined` where a page cannot write to folders. */
export function folderChooser(): ChooseFolder | undefined {
  const choose: unknown = Reflect.get(window, 'showDirectoryPicker');
  return typeof choose === 'function' ? (options) => choose.call(window, options) : undefined;
}

/**
 * Lets the person choose a folder and writes the files of a zip into it. Files of the same name are replaced, others stay.
 * Returns the number of files, or `undefined` if no folder was chosen. Rejects if the zip cannot be read or a file cannot be
 * written.
 */
export async function writeZipToFolder(choose: ChooseFolder, address: string): Promise<number | undefined> {
  const folder = await chosen(choose);
  if (folder === undefined) return undefined;
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  const files = await unzipped(new Uint8Array(await answer.arrayBuffer()));
  for (const [path, bytes] of Object.entries(files)) {
    const names = path.split('/');
    const name = names.pop() ?? '';
    if (name === '') continue;
    let at = folder;
    for (const part of names) at = await at.getDirectoryHandle(part, { create: true });
    const file = await (await at.getFileHandle(name, { create: true })).createWritable();
    await file.write(bytes);
    await file.close();
  }
  return Object.keys(files).length;
}

async function chosen(choose: ChooseFolder): Promise<ChosenFolder | undefined> {
  try {
    return await choose({ mode: 'readwrite' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
}
