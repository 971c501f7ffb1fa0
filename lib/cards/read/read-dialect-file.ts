import type { Issue } from '@/lib/base/issue';
import type { DialectFile } from '@/lib/cards/dialects/find-dialect';
import type { Dialect } from '@/lib/cards/dialects/form/dialect';
import { type DialectText, openDialectText } from '@/lib/cards/dialects/open-text';
import { LineIndex } from '@/lib/cards/line-index';
import type { DialectReading, FileReading } from './file-reading';
import { makeIssue } from './file-report';
import { readCard } from './read-card';
import { noConfig, readConfig } from './read-config';

/** Readings that do not depend on a dialect. */
interface OtherReadings {
  /** The reading of a card that cannot be read. */
  broken(issues: readonly Issue[]): FileReading;
  /** The reading of a file without fields. It is a card that cannot be read if fields were meant. */
  document(): FileReading;
}

/**
 * Reads a file that a dialect knows by its place. Its fields are translated to those of a card, which the reader of cards then
 * reads; positions are those of the file.
 */
export function readDialectFile(
  path: string,
  text: string,
  { dialect, form }: DialectFile,
  other: OtherReadings,
): FileReading {
  if (form === 'document') return { role: 'document', issues: [], dialect: keptOf(dialect) };
  const open = openDialectText(form, path, text);
  const own: DialectReading = { dialect, form, written: open.written, notes: open.notes };
  if (form.syntax === 'front-matter' && !open.hasFields) {
    const reading = other.document();
    return { ...reading, dialect: reading.role === 'card' ? own : keptOf(dialect) };
  }
  if (!open.isNamed) return { role: 'document', issues: [], dialect: keptOf(dialect) };
  const faults = faultsOf(path, text, open);
  if (form.role === 'config') {
    const config = readConfig(path, text, open.yaml);
    return { role: 'config', config, issues: [...faults, ...config.issues], dialect: own };
  }
  if (faults.length > 0) return { ...other.broken(faults), dialect: own };
  const card = readCard(path, { ...open.source, body: undefined }, open.yaml);
  return { role: 'card', issues: card.issues, card, dialect: own };
}

/** Reads a file that is not text or is too large. If an agent or the config should be in it, the fault is an error. */
export function undecodedDialectFile(
  path: string,
  issues: readonly Issue[],
  { dialect, form }: DialectFile,
  other: OtherReadings,
): FileReading {
  if (form === 'document') {
    const reading = other.document();
    return reading.role === 'card' ? { role: 'document', issues: [], dialect: keptOf(dialect) } : reading;
  }
  const own: DialectReading = { dialect, form, written: {}, notes: [] };
  if (form.role === 'card') return { ...other.broken(issues), dialect: own };
  return { role: 'config', issues, config: { config: { ...noConfig, file: path }, issues }, dialect: own };
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
