import type { Issue } from '@/lib/base/issue';
import { findConfig } from '@/lib/cards/check/check-layout';
import type { PlacedNote } from '@/lib/cards/dialects/form/dialect';
import { dialects } from '@/lib/cards/dialects/list';
import type { Folder } from '@/lib/cards/folder';
import type { ImportReport, ReportedFile } from '@/lib/cards/import-report';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { FileReading } from '@/lib/cards/read/file-reading';
import { noConfig } from '@/lib/cards/read/read-config';
import { readFile } from '@/lib/cards/read/read-file';
import { readingOf, readingOrder } from './read-folder';
import { reportOfFile } from './report-of-file';
import { chooseDialect } from './with-dialect';

/**
 * Says what becomes of every file of a folder, and of every field: it works here, it is kept without effect, or it cannot run here.
 * `parsed` is the reading of the same folder. Pure; reads nothing twice.
 *
 *     folder ──readings──▶ chosen format ──▶ notes at their places ─┐
 *     parsed ──issues────────────────────────────────────────────┼──▶ a row for each file, with its fields
 */
export function reportOfFolder(folder: Folder, parsed: ParsedFolder): ImportReport {
  const own = new Map<string, FileReading>();
  for (const path of readingOrder(folder)) {
    const file = folder.get(path);
    if (file !== undefined) own.set(path, readingOf(path, file));
  }
  const { dialect, readings, together } = chooseDialect(folder, own, (path) =>
    readFile(path, { kind: 'text', text: '' }),
  );
  const written = [...readings.values()].flatMap(({ card }) => card ?? []);
  const configFile = findConfig(readings);
  const config = (configFile === undefined ? undefined : readings.get(configFile)?.config?.config) ?? noConfig;
  const { notes } = together(written, config);
  const byFile = { notes: grouped<PlacedNote>(notes), issues: grouped<Issue>(parsed.issues.filter(isOwnIssue)) };
  const files = [...own].map(
    ([path, reading]): ReportedFile =>
      reportOfFile({
        path,
        file: folder.get(path) ?? { kind: 'text', text: '' },
        parsed,
        dialect,
        reading,
        chosen: readings.get(path) ?? reading,
        notes: byFile.notes.get(path) ?? [],
        issues: byFile.issues.get(path) ?? [],
      }),
  );
  return {
    format: dialects.find(({ id }) => id === parsed.dialect)?.name ?? 'AgentCards',
    files,
    withoutFile: parsed.cards.flatMap(({ file, name }) => (folder.has(file) ? [] : [name])),
  };
}

/** The notes of a dialect are named one by one, and not where their Issue stands. */
function isOwnIssue({ code }: Issue): boolean {
  return code !== 'dialect-kept' && code !== 'dialect-cannot-run' && code !== 'dialect-not-read';
}

function grouped<T extends { readonly file: string }>(all: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(one.file);
    if (group === undefined) groups.set(one.file, [one]);
    else group.push(one);
  }
  return groups;
}
