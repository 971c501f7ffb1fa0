import { readEnv } from '@/lib/server/env';
import { type FolderReader, openFolderReader } from './folder-reader';

/** Kept on `globalThis`: Next evaluates modules more than once, and there must be one reader per process. */
const holder: { callboardReader?: FolderReader } = globalThis as never;

export function webReader(): FolderReader {
  holder.callboardReader ??= openFolderReader({ seconds: readEnv(process.env).readingSeconds });
  return holder.callboardReader;
}
