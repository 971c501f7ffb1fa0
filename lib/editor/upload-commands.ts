import { checkPath, decodeFile } from '@/lib/cards/files';
import type { FolderFile } from '@/lib/cards/folder';
import type { ProjectStore } from './project-store';
import type { EditorServices } from './services';

/** A file of the computer that was chosen or dropped. */
export interface ChosenFile {
  /** Where it goes in the project. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Rejects if the file is gone or may not be read. */
  readonly read: () => Promise<Uint8Array<ArrayBuffer>>;
}

export type Uploads = Pick<EditorServices, 'uploadBytes'>;

/** A larger file is refused, as the server does. */
const maxBytes = 10 * 1024 * 1024;

/**
 * The commands that add files of the computer. A text becomes part of the document. Other bytes are stored on the server first,
 * and the document has their hash, so that undo, drafts and saves stay small.
 */
export function uploadCommands(
  actions: ProjectStore['actions'],
  uploads: Uploads,
  addFiles: (files: ReadonlyMap<string, FolderFile>) => void,
  bringFolder: (name: string, files: ReadonlyMap<string, FolderFile>) => void,
) {
  async function contentOf({ path, size, read }: ChosenFile): Promise<FolderFile | string> {
    const fault = checkPath(path)?.message;
    if (fault !== undefined) return fault;
    if (size > maxBytes) return 'It is larger than 10 MB.';
    const bytes = await read().catch(() => undefined);
    if (bytes === undefined) return 'The browser could not read it. A folder is uploaded file by file.';
    const file = decodeFile(bytes);
    if (file.kind === 'text') return file;
    const stored = await uploads.uploadBytes(bytes);
    return stored.ok ? stored.file : stored.message;
  }

  /** Passes on the files that could be read, and says why any of them could not. */
  async function take(files: readonly ChosenFile[], add: (files: ReadonlyMap<string, FolderFile>) => void) {
    if (files.length === 0) return;
    const words = files.length === 1 ? files[0]?.path : `${files.length} files`;
    actions.notify({ tone: 'info', text: `Uploading ${words}…` });
    const added = new Map<string, FolderFile>();
    const refused: string[] = [];
    for (const file of files) {
      const content = await contentOf(file);
      if (typeof content === 'string') refused.push(`${file.path}: ${content}`);
      else added.set(file.path, content);
    }
    actions.notify(undefined);
    if (added.size > 0) add(added);
    if (refused.length > 0) actions.notify({ tone: 'bad', text: `Not added. ${refused.join(' ')}` });
  }

  return {
    /** Adds files as one undo step, and says why any of them was not added. */
    upload: (files: readonly ChosenFile[]) => take(files, addFiles),
    /** Shows what files would bring into the project, with their agents as new ones. `name` is what was dropped. */
    bringFiles: (name: string, files: readonly ChosenFile[]) => take(files, (read) => bringFolder(name, read)),
  };
}
