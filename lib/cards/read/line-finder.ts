import { openText } from '@/lib/cards/dialects/open-text';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { LineIndex } from '@/lib/cards/line-index';
import { urlPlaceholder } from '@/lib/cards/url-placeholder';
import { keySpan, type Path, valueSpan, type YamlSource } from '@/lib/cards/yaml/yaml-source';

/** Finds lines in the files of a folder. Each file is parsed once, at its first use. */
export interface LineFinder {
  /** Returns the line of a key in a YAML file or front matter. Returns `undefined` if it does not exist. */
  ofKey(file: string, path: Path): number | undefined;
  /**
   * Returns the first and the last line of a key with its value; of `instruction` in a Markdown card, those of the text below the front
   * matter. Returns `undefined` if it does not exist.
   */
  blockOf(file: string, path: Path): LineBlock | undefined;
  /** Returns the line of the first `{{url:…}}` with this address, or 1. */
  ofUrl(file: string, url: string): number;
}

/** Both lines belong to it. They count from 1. */
export interface LineBlock {
  readonly from: number;
  readonly to: number;
}

interface ReadText {
  readonly lines: LineIndex;
  readonly yaml: YamlSource | undefined;
  /** The offset of the text below the front matter. */
  readonly body: number | undefined;
  /** The first line of each address, found in one pass. */
  readonly urls: ReadonlyMap<string, number>;
}

export function lineFinder(folder: Folder): LineFinder {
  const read = new Map<string, ReadText | undefined>();
  const open = (path: string) => {
    if (!read.has(path)) read.set(path, readText(folder, path));
    return read.get(path);
  };
  return {
    ofKey(file, path) {
      const known = knownLines(folder.get(file));
      const key = [file, ...path].join('\n');
      if (known.has(key)) return known.get(key);
      const source = open(file);
      const span = source?.yaml && (keySpan(source.yaml, path) ?? valueSpan(source.yaml, path));
      const line = span && source?.lines.positionOf(span.start).line;
      known.set(key, line);
      return line;
    },
    blockOf(file, path) {
      const source = open(file);
      if (source?.yaml === undefined) return undefined;
      const [key, value] = [keySpan(source.yaml, path), valueSpan(source.yaml, path)];
      const first = key ?? value;
      const lineAt = (offset: number) => source.lines.positionOf(offset).line;
      if (first === undefined) {
        const isBody = path.length === 1 && path[0] === 'instruction' && source.body !== undefined;
        return isBody ? { from: lineAt(source.body ?? 0), to: Infinity } : undefined;
      }
      const from = lineAt(first.start);
      return { from, to: Math.max(from, lineAt(Math.max(first.end, value?.end ?? 0) - 1)) };
    },
    ofUrl(file, url) {
      const source = open(file);
      const at = source?.urls.get(url);
      return source === undefined || at === undefined ? 1 : source.lines.positionOf(at).line;
    },
  };
}

/** The lines that were found in file objects still in use, so that after an edit of one file only that file is parsed again. */
const linesByFile = new WeakMap<FolderFile, Map<string, number | undefined>>();

function knownLines(file: FolderFile | undefined): Map<string, number | undefined> {
  const known = (file && linesByFile.get(file)) ?? new Map<string, number | undefined>();
  if (file !== undefined) linesByFile.set(file, known);
  return known;
}

function readText(folder: Folder, path: string): ReadText | undefined {
  const file = folder.get(path);
  if (file?.kind !== 'text') return undefined;
  const open = openText(path, file.text);
  return {
    lines: new LineIndex(file.text),
    yaml: open?.yaml,
    body: open?.source.body?.offset,
    urls: placesOfUrls(file.text),
  };
}

function placesOfUrls(text: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  if (!text.includes('{{url:')) return places;
  for (const { 1: backslash, 2: url = '', index } of text.matchAll(urlPlaceholder)) {
    if (backslash === '' && !places.has(url)) places.set(url, index);
  }
  return places;
}
