import type { DroppedEntry } from './source-files';

/** Returns the files and folders of a drop. Call it before the event is over, because then the list is emptied. */
export function droppedEntries({ items }: DataTransfer): DroppedEntry<File>[] {
  return [...items].flatMap((item) => item.webkitGetAsEntry() ?? []).map(asDropped);
}

/**
 * The type of the entry is checked by its fields, because the DOM's types know only the base class, and Chromium has no
 * globals for `instanceof`.
 */
function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function asDropped(entry: FileSystemEntry): DroppedEntry<File> {
  if (isFolder(entry)) {
    return {
      isDirectory: true,
      name: entry.name,
      createReader: () => {
        const reader = entry.createReader();
        return { readEntries: (done, failed) => reader.readEntries((found) => done(found.map(asDropped)), failed) };
      },
    };
  }
  return {
    isDirectory: false,
    name: entry.name,
    file: (done, failed) => (isFile(entry) ? entry.file(done, failed) : failed(new Error('Neither file nor folder.'))),
  };
}
