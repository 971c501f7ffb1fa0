import { readEnv } from '@/lib/server/env';
import { type FolderReader, openFolderReader } from './folder-reader';

/** One for the web process: Next evaluates modules more than once. */
const holder: { callboardReader?: FolderReader } = globalThis as never;

export function webReader(): FolderReader {
  holder.callboardReader ??= openFolderReader({ seconds: readEnv(process.env).readingSeconds });
  return holder.callboardReader;
}
