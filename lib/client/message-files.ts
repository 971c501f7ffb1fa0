import { type MessageFile, mostFileBytes, mostFiles } from '@/lib/base/conversation';
import { mediaTypeOf } from '@/lib/base/media-type';
import { formatBytes } from '@/lib/trace/wording';

/** A file that a person has chosen for a message. */
export interface ChosenFile {
  readonly name: string;
  readonly bytes: number;
  readonly file: MessageFile;
}

/** A file before it is read, as a browser gives it. */
export type OfferedFile = Pick<File, 'name' | 'type' | 'size'>;

/** Returns the offered files that fit beside those that were chosen before, and a sentence for each that does not. */
export function fittingFiles<T extends OfferedFile>(
  before: readonly ChosenFile[],
  offered: readonly T[],
): { readonly fitting: readonly T[]; readonly refusals: readonly string[] } {
  const fitting: T[] = [];
  const refusals: string[] = [];
  let count = before.length;
  let bytes = before.reduce((sum, file) => sum + file.bytes, 0);
  const names = new Set(before.map(({ name }) => name));
  for (const file of offered) {
    const refusal = refusalOf(file, { count, bytes, names });
    if (refusal !== undefined) {
      refusals.push(refusal);
      continue;
    }
    fitting.push(file);
    names.add(file.name);
    count += 1;
    bytes += file.size;
  }
  return { fitting, refusals };
}

function refusalOf(
  { name, size }: OfferedFile,
  { count, bytes, names }: { readonly count: number; readonly bytes: number; readonly names: ReadonlySet<string> },
): string | undefined {
  if (names.has(name)) return `'${name}' is attached already. Remove it first, or rename one of them.`;
  if (size === 0) return `'${name}' is empty, or a folder. Attach files with something in them.`;
  if (count >= mostFiles) return `'${name}' is not attached: a message has at most ${mostFiles} files.`;
  if (bytes + size > mostFileBytes) {
    return `'${name}' is not attached: the files of a message have at most ${formatBytes(mostFileBytes)} together.`;
  }
  return undefined;
}

/** Makes the file of a message. A text stays a text, so that a model can read it; anything else is sent as base64. */
export function messageFile(name: string, type: string, bytes: Uint8Array): MessageFile {
  const text = textOf(bytes);
  const known = type.split(';')[0]?.trim() ?? '';
  const mediaType = known === '' ? mediaTypeOf(name, text === undefined ? 'binary' : 'text') : known;
  return text === undefined || isMedia(mediaType)
    ? { name, mediaType, data: base64Of(bytes) }
    : { name, mediaType, text };
}

/** Pictures, sounds and documents are media even where their bytes are text, as in SVG. */
function isMedia(mediaType: string): boolean {
  return /^(image|audio|video)\/|^application\/pdf$/.test(mediaType);
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The arguments of one call of `fromCharCode` are limited. */
const atOnce = 0x8000;

function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += atOnce) binary += String.fromCharCode(...bytes.subarray(at, at + atOnce));
  return btoa(binary);
}
