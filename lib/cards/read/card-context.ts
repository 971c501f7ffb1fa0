import type { CodeRef } from '@/lib/cards/card';
import type { Position } from '@/lib/cards/line-index';
import { joinPath, type Reference, splitCodeSpec } from '@/lib/cards/references';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import type { Mapping } from './fields';
import type { FileReport } from './file-report';

/** The state that the readers of one card share: its mapping, its issues and its references. */
export interface CardContext extends Mapping {
  readonly file: string;
  readonly report: FileReport;
  readonly references: Reference[];
}

type Named = 'agent' | 'server' | 'model' | 'history' | 'skills';

export function refer(card: CardContext, kind: Named, target: string, path: Path): void {
  card.references.push({ kind, target, field: fieldOf(path), ...card.report.placeOf(path) });
}

export function referAll(card: CardContext, kind: Named, targets: readonly string[], key: string): readonly string[] {
  const list = card.value[key];
  if (!Array.isArray(list)) return targets;
  list.forEach((entry: unknown, index) => {
    if (typeof entry === 'string' && entry.trim() !== '') refer(card, kind, entry, [key, index]);
  });
  return targets;
}

/**
 * Reads `file.py:function`, split at the last colon, and adds the reference. Returns `undefined` for any other text, which
 * the caller reports, because the stage of that issue differs. Reports a path that leaves the folder.
 */
export function referCode(card: CardContext, kind: 'function' | 'hook', spec: string, path: Path): CodeRef | undefined {
  const split = splitCodeSpec(spec);
  if (split === undefined) return undefined;
  const file = joinPath(card.file, split.file);
  if (file === undefined) {
    card.report.report(
      'code-outside',
      path,
      `'${spec}' leads out of the project. Move the file into the folder, or open the folder above.`,
    );
    return undefined;
  }
  const code: CodeRef = { spec, file, functionName: split.functionName };
  const place: Position = card.report.placeOf(path);
  card.references.push({ kind, code, field: fieldOf(path), ...place });
  return code;
}

function fieldOf(path: Path): string {
  return String(path[0] ?? '');
}
