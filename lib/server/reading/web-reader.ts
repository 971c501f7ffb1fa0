import { webEnv } from '@/lib/server/settings/web-env';
import { type FolderReader, openFolderReader } from './folder-reader';

/**
 * The reader is kept on `globalThis`, because Next evaluates modules more than once, and there must be one reader per
 * process.
 */
const holder: { callboardReader?: FolderReader } = globalThis as never;

export function webReader(): FolderReader {
  holder.callboardReader ??= openFolderReader({ seconds: webEnv().readingSeconds });
  return holder.callboardReader;
}
