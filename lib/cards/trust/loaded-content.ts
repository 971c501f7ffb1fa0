import { shapeOf } from '@/lib/cards/code/same-code';
import { encodeFile } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';

/**
 * Returns the bytes for which a file is approved that a command may load. Of a script that runs in the sandbox they are its code without
 * comments and white space, so a comment in a hook asks nothing again. A file that the command line names counts byte for byte, because the
 * program may be no JavaScript engine; and so does a script with a comment that tells how it is compiled.
 */
export function loadedContent(folder: Folder, path: string, isSandboxed: boolean): Uint8Array | undefined {
  const file = folder.get(path);
  if (file === undefined) return undefined;
  if (!isSandboxed || file.kind !== 'text' || tellingComment.test(file.text)) return encodeFile(file);
  const shape = shapeOf(path, file.text);
  return shape === undefined ? encodeFile(file) : new TextEncoder().encode(`script ${shape}`);
}

/** Pragmas of JSX, source maps, and the line that names what runs a file. */
const tellingComment = /^#!|@jsx|[#@]\s*source(?:Mapping)?URL|@vite|webpack[A-Z]|@ts-/;
