import type { Folder } from '@/lib/cards/folder';
import { isCardFile, splitSource } from '@/lib/cards/source';
import { LineIndex } from '@/lib/cards/yaml/line-index';
import { keySpan, type Path, parseYaml, valueSpan, type YamlSource } from '@/lib/cards/yaml/yaml-source';

/** Lines in the files of one folder. Each file is parsed once, on first use. */
export interface LineFinder {
  /** Of the key at a path of a YAML file or a card's front matter; `undefined` when it is not written there. */
  ofKey(file: string, path: Path): number | undefined;
  /** Of the first place with these characters; 1 where there is none. */
  ofText(file: string, text: string): number;
}

interface ReadText {
  readonly text: string;
  readonly lines: LineIndex;
  readonly yaml: YamlSource | undefined;
}

export function lineFinder(folder: Folder): LineFinder {
  const read = new Map<string, ReadText | undefined>();
  const open = (path: string) => {
    if (!read.has(path)) read.set(path, readText(folder, path));
    return read.get(path);
  };
  return {
    ofKey(file, path) {
      const source = open(file);
      if (source?.yaml === undefined) return undefined;
      const span = keySpan(source.yaml, path) ?? valueSpan(source.yaml, path);
      return span && source.lines.positionOf(span.start).line;
    },
    ofText(file, text) {
      const source = open(file);
      const at = source?.text.indexOf(text) ?? -1;
      return source === undefined || at === -1 ? 1 : source.lines.positionOf(at).line;
    },
  };
}

function readText(folder: Folder, path: string): ReadText | undefined {
  const file = folder.get(path);
  if (file?.kind !== 'text') return undefined;
  const slice = isCardFile(path) ? splitSource(path, file.text).yaml : undefined;
  return { text: file.text, lines: new LineIndex(file.text), yaml: slice && parseYaml(slice) };
}
