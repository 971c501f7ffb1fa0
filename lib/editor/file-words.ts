import { mediaTypeOf, suffixOf } from '@/lib/base/media-type';
import type { StoredFile } from '@/lib/cards/folder';
import { formatBytes } from '@/lib/trace/wording';

/** Kinds of files by the first part of their media type. */
const kinds: Readonly<Record<string, string>> = { image: 'image', audio: 'sound', video: 'video' };

/** Returns what a file that is not text is, by the ending of its name: `PNG image`, `PDF document`, `BIN file`. */
export function fileWord(path: string): string {
  const suffix = suffixOf(path).slice(1);
  const [group = ''] = mediaTypeOf(path, 'binary').split('/');
  const word = kinds[group] ?? (suffix === 'pdf' ? 'document' : suffix === 'zip' ? 'archive' : 'file');
  return suffix === '' || suffix.length > 8 ? 'Binary file' : `${suffix.toUpperCase()} ${word}`;
}

/** Returns what it is and its size: `PNG image, 12 kB`. */
export function fileFacts(path: string, file: StoredFile): string {
  return `${fileWord(path)}, ${formatBytes(file.size)}`;
}

const shown = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'bmp'];

/** True if a browser can show the file as a picture. */
export function isPicture(path: string): boolean {
  return shown.includes(suffixOf(path).slice(1));
}
