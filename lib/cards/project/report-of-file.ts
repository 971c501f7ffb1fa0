import type { Issue } from '@/lib/base/issue';
import type { Dialect, DialectDocument, DialectNote, PlacedNote } from '@/lib/cards/dialects/form/dialect';
import { dialects } from '@/lib/cards/dialects/list';
import { openWritten, type WrittenText } from '@/lib/cards/dialects/open-text';
import type { FolderFile } from '@/lib/cards/folder';
import type { Becomes, FieldUse, ReportedField, ReportedFile, ReportedNote } from '@/lib/cards/import-report';
import { LineIndex } from '@/lib/cards/line-index';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { FileReading } from '@/lib/cards/read/file-reading';
import { splitSource } from '@/lib/cards/source';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import { keySpan, parseYaml } from '@/lib/cards/yaml/yaml-source';

/** A file, how it is read, and what is said of it. */
export interface FileToReport {
  readonly path: string;
  readonly file: FolderFile;
  readonly parsed: ParsedFolder;
  /** The dialect of the folder. */
  readonly dialect: Dialect | undefined;
  /** The reading of the file alone. */
  readonly reading: FileReading;
  /** The reading in the folder, where one format is chosen. */
  readonly chosen: FileReading;
  readonly notes: readonly PlacedNote[];
  readonly issues: readonly Issue[];
}

/** Says what becomes of a file and of each of its fields. */
export function reportOfFile(asked: FileToReport): ReportedFile {
  const { becomes, names, say } = roleOf(asked);
  const fields = fieldsOf(asked, becomes);
  const told = [...asked.notes.map(({ note }) => noteOf(asked, note)), ...asked.issues.map(issueNote)];
  const inFields = new Set(fields.flatMap(({ notes }) => notes));
  const said = new Set(say === undefined ? [] : [say]);
  const notes = told.filter((note) => {
    const isNew = !said.has(note.message) && ![...inFields].some((one) => isSame(one, note));
    said.add(note.message);
    return isNew;
  });
  const first: readonly ReportedNote[] = say === undefined ? [] : [{ use: roleUse(becomes), line: 1, message: say }];
  return { file: asked.path, becomes, names, notes: [...first, ...notes], fields };
}

interface Role {
  readonly becomes: Becomes;
  readonly names: readonly string[];
  readonly say?: string;
}

function roleOf(asked: FileToReport): Role {
  const { path, parsed, reading, chosen } = asked;
  if (chosen.role === 'document' || chosen.role === 'binary') return documentRole(asked);
  const servers = Object.keys(parsed.config.servers);
  switch (chosen.role) {
    case 'card': {
      const cards = parsed.cards.filter(({ file }) => file === path);
      const names = cards.map(({ name }) => name);
      if (names.length > 0)
        return { becomes: chosen.dialect?.form?.syntax === 'body' ? 'instruction' : 'agent', names };
      return { becomes: 'not-read', names: [], say: 'This agent is not read. Correct what is said below.' };
    }
    case 'skill':
      return { becomes: 'skill', names: [] };
    case 'code': {
      const names = parsed.cards.flatMap((card) =>
        card.type === 'agent' && card.functionTools.some(({ file }) => file === path) ? [card.name] : [],
      );
      return { becomes: 'script', names };
    }
    case 'config':
      if (parsed.config.file === path) return { becomes: 'servers', names: servers };
      if (parsed.config.beside?.file === path) return { becomes: 'settings', names: [] };
      return { becomes: 'not-read', names: [], say: `Another file has the settings: '${parsed.config.file ?? ''}'.` };
    case 'settings':
      return { becomes: 'settings', names: [] };
    case 'secrets':
      return { becomes: 'secrets', names: [] };
    case 'fixture':
      return { becomes: 'test', names: [] };
    default:
      return { becomes: 'kept', names: [], say: reading.foreign?.because };
  }
}

/** A file that is no agent: another format knows it, or it comes along as it is. */
function documentRole({ path, dialect, reading }: FileToReport): Role {
  const [of, row] = rowOf(path, dialect) ?? [];
  if (of !== undefined && of !== dialect) {
    const agents = dialect === undefined ? 'AgentCards' : `agents of ${dialect.name}`;
    const say = `A file of ${of.name}. It is kept and not read, because the agents of this folder are ${agents}.`;
    return { becomes: reading.role === 'card' ? 'not-read' : 'kept', names: [], say };
  }
  if (reading.role === 'card') {
    const name = dialect?.name ?? 'another program';
    const say = `It may be an AgentCard. It is kept and not read, because the agents of this folder are those of ${name}.`;
    return { becomes: 'not-read', names: [], say };
  }
  if (row !== undefined) return { becomes: row.becomes, names: [], say: row.say };
  if (reading.foreign !== undefined) {
    return { becomes: 'kept', names: [], say: `It is no agent: ${reading.foreign.because}.` };
  }
  return { becomes: 'kept', names: [] };
}

/** Finds the row of a file. The dialect of the folder comes first. */
function rowOf(
  path: string,
  dialect: Dialect | undefined,
): readonly [Dialect, DialectDocument | undefined] | undefined {
  const order = [...dialects].sort((a, b) => Number(b === dialect) - Number(a === dialect));
  for (const one of order) {
    const row = one.documents?.find(({ place }) => place.test(path));
    if (row !== undefined || one.formOf(path) !== undefined) return [one, row];
  }
  return undefined;
}

function roleUse(becomes: Becomes): FieldUse {
  return becomes === 'not-read' ? 'cannot-run' : becomes === 'kept' ? 'kept' : 'works';
}

const withFields: ReadonlySet<Becomes> = new Set(['agent', 'servers', 'settings', 'test']);

function fieldsOf(asked: FileToReport, becomes: Becomes): readonly ReportedField[] {
  const { path, file, chosen } = asked;
  if (file.kind !== 'text') return [];
  const isRead = withFields.has(becomes) || (becomes === 'not-read' && chosen.role === 'card');
  const open = becomes === 'skill' ? frontMatterOf(path, file.text) : isRead ? openWritten(path, file.text) : undefined;
  if (open === undefined) return [];
  const lines = new LineIndex(file.text);
  const placed = Object.keys(open.written).map((field) => {
    const span = keySpan(open.yaml, [field]);
    return { field, line: span === undefined ? 1 : lines.positionOf(span.start).line };
  });
  placed.sort((a, b) => a.line - b.line);
  const known = chosen.dialect?.form?.fields;
  return placed.map(({ field, line }, index): ReportedField => {
    const end = placed[index + 1]?.line ?? endOf(open, lines);
    const notes = [
      ...asked.notes.flatMap(({ note }) => (note.path[0] === field ? [noteOf(asked, note)] : [])),
      ...asked.issues.flatMap((issue) => (issue.line >= line && issue.line < end ? [issueNote(issue)] : [])),
    ];
    if (becomes === 'skill' && !skillFields.has(field))
      notes.push({ use: 'kept', line, message: skillFieldNote(field) });
    if (known !== undefined && notes.length === 0 && !known.some(({ name }) => name === field)) {
      notes.push({ use: 'kept', line, message: `'${field}' is kept and has no effect here: nothing reads it.` });
    }
    return { field, line, use: worst(notes), notes };
  });
}

/** The line after the fields: the end of the front matter, or of the file. */
function endOf({ yaml }: WrittenText, lines: LineIndex): number {
  const end = yaml.doc?.range?.[2];
  return end === undefined ? Number.POSITIVE_INFINITY : lines.positionOf(yaml.offset + end).line + 1;
}

const skillFields: ReadonlySet<string> = new Set(['name', 'description']);

function skillFieldNote(field: string): string {
  return `'${field}' is kept and has no effect here: an agent is told the name, the description and the text of a skill.`;
}

function frontMatterOf(path: string, text: string): WrittenText | undefined {
  const { yaml: slice } = splitSource(path, text);
  const yaml = slice === undefined ? undefined : parseYaml(slice);
  return yaml !== undefined && isMapping(yaml.value) ? { written: yaml.value, yaml } : undefined;
}

function worst(notes: readonly ReportedNote[]): FieldUse {
  if (notes.some(({ use }) => use === 'cannot-run')) return 'cannot-run';
  return notes.some(({ use }) => use === 'kept') ? 'kept' : 'works';
}

function noteOf({ path, file }: FileToReport, note: DialectNote): ReportedNote {
  const yaml = file.kind === 'text' && note.path.length > 0 ? openWritten(path, file.text)?.yaml : undefined;
  const span = yaml === undefined ? undefined : keySpan(yaml, note.path);
  const line = span === undefined || file.kind !== 'text' ? 1 : new LineIndex(file.text).positionOf(span.start).line;
  return { use: note.use, line, message: note.say(note.words) };
}

/** Issues whose field has no effect, though it is correct. */
const withoutEffect: ReadonlySet<string> = new Set([
  'no-effect',
  'use-history-ignored',
  'plan-type-ignored',
  'options-ignored',
  'skills-ignored',
  'directive-ignored',
  'skip-ignored',
  'cache-ignored',
  'request-param-unknown',
]);

function issueNote({ code, severity, line, message }: Issue): ReportedNote {
  const use = severity === 'error' ? 'cannot-run' : withoutEffect.has(code) ? 'kept' : 'works';
  return { use, line, message };
}

function isSame(a: ReportedNote, b: ReportedNote): boolean {
  return a.line === b.line && a.message === b.message && a.use === b.use;
}
