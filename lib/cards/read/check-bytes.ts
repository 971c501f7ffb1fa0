import type { Issue } from '@/lib/base/issue';
import { dialectFormOf } from '@/lib/cards/dialects/find-dialect';
import type { FolderFile } from '@/lib/cards/folder';
import { LineIndex } from '@/lib/cards/line-index';
import { makeIssue } from './file-report';

/** Checks the bytes of a file: its encoding and size. For files that are not parsed, only the size matters. */

/** The largest file that is read, in UTF-16 units, or in bytes for a file that is not text. */
export const maxReadUnits = 1_000_000;

export function checkBytes(path: string, file: FolderFile): Issue[] {
  const isRead = /\.(?:md|markdown|ya?ml|py|[cm]?[jt]sx?)$/i.test(path) || dialectFormOf(path) !== undefined;
  const place = { file: path, line: 1, column: 1 };
  if (file.kind === 'text') {
    if (file.text.length > maxReadUnits) return [tooLarge(path, file.text.length)];
    return isRead ? nulIssues(path, file.text) : [];
  }
  if (file.kind === 'stored') {
    const issues = file.size > maxReadUnits ? [tooLarge(path, file.size)] : [];
    return isRead ? [...issues, makeIssue('not-utf8', place, `'${path}' is not UTF-8. Save it as UTF-8.`)] : issues;
  }
  const { bytes } = file;
  if (bytes.length > maxReadUnits) return [tooLarge(path, bytes.length)];
  if (!isRead) return [];
  // An empty file is text. A binary file without bytes stands for one that was too large to load.
  if (bytes.length === 0) return [tooLarge(path, undefined)];
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) return [makeIssue('utf16', place, `'${path}' is UTF-16. Save it as UTF-8.`)];
  const bad = firstBadByte(bytes);
  if (bad === undefined) return nulIssues(path, new TextDecoder().decode(bytes));
  const { line, column, byte } = bad;
  const text = `'${path}' is not UTF-8 (byte 0x${byte.toString(16)}). Save it as UTF-8.`;
  return [makeIssue('not-utf8', { file: path, line, column }, text)];
}

function nulIssues(path: string, text: string): Issue[] {
  const nul = text.indexOf('\0');
  if (nul === -1) return [];
  const sentence = `'${path}' contains NUL characters, as UTF-16 text does. Save it as UTF-8.`;
  return [makeIssue('nul-characters', { file: path, ...new LineIndex(text).positionOf(nul) }, sentence)];
}

/** Returns the beginning of a file as text, whatever its encoding. Characters that cannot be decoded are replaced. */
export function firstTextOf(file: FolderFile): string {
  if (file.kind === 'text') return file.text.slice(0, guessedUnits).replaceAll('\0', '');
  if (file.kind === 'stored') return '';
  const bytes = file.bytes.subarray(0, guessedUnits);
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes).replaceAll('\0', '');
}

const guessedUnits = 65_536;

function tooLarge(path: string, size: number | undefined): Issue {
  const isCard = /\.(?:md|markdown|ya?ml)$/i.test(path) || dialectFormOf(path) !== undefined;
  const code = isCard ? 'card-too-large' : 'file-too-large';
  const next =
    code === 'card-too-large'
      ? 'It is kept but not read. Make it smaller.'
      : isCode(path)
        ? 'It is kept, and the functions it defines are not looked at. Make it smaller.'
        : 'Check that it belongs here.';
  const megabytes = size === undefined ? 'more than 10' : (size / 1_000_000).toFixed(1);
  return makeIssue(
    code,
    { file: path, line: 1, column: 1 },
    `'${path}' has ${megabytes} MB; 1 MB is the limit. ${next}`,
  );
}

function isCode(path: string): boolean {
  return /\.(?:py|[cm]?[jt]sx?)$/i.test(path);
}

/**
 * Returns the position of invalid UTF-8, or `undefined` for valid UTF-8. The column counts bytes, because characters are
 * unknown.
 */
function firstBadByte(bytes: Uint8Array): { line: number; column: number; byte: number } | undefined {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const lineEnd = lineEndAt(bytes, at);
    if (lineEnd > 0) {
      line++;
      lineStart = at + lineEnd;
    }
    if (byte < 0x80) {
      at += Math.max(1, lineEnd);
      continue;
    }
    const length =
      byte >= 0xc2 && byte < 0xe0 ? 2 : byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xf0 && byte < 0xf5 ? 4 : 0;
    const rest = bytes.subarray(at + 1, at + length);
    const isWhole = length > 0 && rest.length === length - 1 && rest.every((next) => (next & 0xc0) === 0x80);
    if (!isWhole) return { line, column: at - lineStart + 1, byte };
    at += length;
  }
  return undefined;
}

/** The length in bytes of the line end that begins here, 0 for none. The same ends as in `textLines`. */
function lineEndAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === 10) return 1;
  if (byte === 13) return bytes[at + 1] === 10 ? 2 : 1;
  // U+2028 and U+2029 are e2 80 a8 and e2 80 a9.
  const isSeparator = byte === 0xe2 && bytes[at + 1] === 0x80 && ((bytes[at + 2] ?? 0) & 0xfe) === 0xa8;
  return isSeparator ? 3 : 0;
}
