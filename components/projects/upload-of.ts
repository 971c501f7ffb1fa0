import type { Source } from '@/lib/client/source-files';
import type { Upload } from './project-types';

/** Returns what to send for chosen or dropped files: a single zip as it is. Returns `undefined` if there is nothing to send. */
export function uploadOf(source: Source<Blob>): Upload | undefined {
  const [only, ...more] = source.files;
  if (only === undefined) return undefined;
  const isAlone = more.length === 0 && source.name === undefined && !only.path.includes('/');
  if (isAlone && isZip(only.path)) return { kind: 'zip', name: only.path, file: only.file };
  return { kind: 'files', source };
}

function isZip(name: string): boolean {
  return name.toLowerCase().endsWith('.zip');
}
