import type { Issue } from '@/lib/base/issue';
import type { DialectFile } from '@/lib/cards/dialects/find-dialect';
import type { Dialect } from '@/lib/cards/dialects/form/dialect';
import { type DialectText, openDialectText } from '@/lib/cards/dialects/open-text';
import { LineIndex } from '@/lib/cards/line-index';
import type { DialectReading, FileReading } from './file-reading';
import { makeIssue } from './file-report';
import { readCard } from './read-card';
import { readConfig } from './read-config';

/**
 * Reads a file that a dialect knows by its place. Its fields are translated to those of a card, which the reader of cards then
 * reads; positions are those of the file. `broken` makes the reading of a card that cannot be read.
 */
export function readDialectFile(
  path: string,
  text: string,
  { dialect, form }: DialectFile,
  broken: (issues: readonly Issue[]) => FileReading,
): FileReading {
  if (form === 'document') return { role: 'document', issues: [], dialect: keptOf(dialect) };
  const open = openDialectText(form, path, text);
  if (form.syntax === 'front-matter' && !open.hasFields)
    return { role: 'document', issues: [], dialect: keptOf(dialect) };
  const own: DialectReading = { dialect, form, written: open.written, notes: open.notes };
  const faults = faultsOf(path, text, open);
  if (form.role === 'config') {
    const config = readConfig(path, text, open.yaml);
    return { role: 'config', config, issues: [...faults, ...config.issues], dialect: own };
  }
  if (faults.length > 0) return { ...broken(faults), dialect: own };
  const card = readCard(path, { ...open.source, body: undefined }, open.yaml);
  return { role: 'card', issues: card.issues, card, dialect: own };
}

function keptOf(dialect: Dialect): DialectReading {
  return { dialect, form: undefined, written: {}, notes: [] };
}

function faultsOf(path: string, text: string, { yaml }: DialectText): readonly Issue[] {
  const lines = new LineIndex(text);
  return yaml.faults.map(({ code, message, offset }) =>
    makeIssue(code, { file: path, ...lines.positionOf(offset) }, `The fields cannot be read: ${message}`),
  );
}
