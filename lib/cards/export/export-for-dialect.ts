import type { Issue } from '@/lib/base/issue';
import { isJson, isRecord, type Json } from '@/lib/base/json';
import type { AgentCard, Card } from '@/lib/cards/card';
import { dialectFormOf, mayLackItsFile } from '@/lib/cards/dialects/find-dialect';
import type { Dialect, DialectForm } from '@/lib/cards/dialects/form/dialect';
import { openDialectText } from '@/lib/cards/dialects/open-text';
import { fileStem } from '@/lib/cards/edit/agent-file';
import { FolderDraft } from '@/lib/cards/edit/draft';
import { editDialect, editDialectFields } from '@/lib/cards/edit/edit-dialect';
import { settingsName } from '@/lib/cards/file-role';
import { isFixtureFile } from '@/lib/cards/fixture-files';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { locateField } from '@/lib/cards/read/locate';
import { readDocument } from '@/lib/cards/read/read-field';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import type { ExportNote, ExportReport } from './export-report';

/**
 * Makes a copy of a folder in the format of another program, and a report on what that program cannot say.
 *
 *     agents of that program   ▶  byte for byte
 *     a plain agent            ▶  a file of that program, each field written by its table; what is refused is noted
 *     a workflow               ▶  left out, and a note
 *     servers                  ▶  the program's file of servers; other values of the config are left out, each noted
 *     callboard.yaml, tests    ▶  left out
 *     everything else          ▶  byte for byte
 */
export function exportForDialect(
  folder: Folder,
  dialect: Dialect,
): { readonly folder: Folder; readonly report: ExportReport } {
  const parsed = readFolder(folder);
  const files = new Map<string, FolderFile>(folder);
  const notes: ExportNote[] = [...keysLost(folder, settingsName, dialect, ['version'])];
  for (const path of folder.keys()) if (path === settingsName || isFixtureFile(path)) files.delete(path);
  if (parsed.dialect !== dialect.id) {
    writeServers(folder, parsed, dialect, { files, notes });
    for (const { file } of parsed.cards) files.delete(file);
    for (const card of parsed.cards) {
      if (card.type === 'agent') writeAgent(folder, parsed, dialect, card, { files, notes });
      else notes.push(lost(folder, card.file, ['type'], `'${card.name}' is a workflow, and ${dialect.name} has none.`));
    }
  }
  notes.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  const unread = parsed.issues.filter(({ file, severity }) => severity === 'error' && parsed.unread.has(file));
  const problems: readonly Issue[] = [
    ...readFolder(files).issues.filter(({ severity }) => severity === 'error'),
    ...(parsed.dialect === dialect.id ? [] : unread),
  ];
  return { folder: files, report: { notes, problems } };
}

interface Output {
  readonly files: Map<string, FolderFile>;
  readonly notes: ExportNote[];
}

/** Writes an agent. A file without tools would have all of them, so it begins with an empty list. */
function writeAgent(
  folder: Folder,
  parsed: ParsedFolder,
  dialect: Dialect,
  card: AgentCard,
  { files, notes }: Output,
): void {
  const isMain = mayLackItsFile(card.file) && dialect.mainFile !== undefined;
  const file = isMain ? (dialect.mainFile ?? '') : freeFile(files, dialect, card.name);
  const form = dialectFormOf(file);
  if (form === undefined) return;
  const context = { servers: Object.keys(parsed.config.servers) };
  let text = isMain ? '' : '---\ntools: []\n---\n';
  for (const [field, edits] of isMain ? [] : editsFor(parsed, card)) {
    const edited = editDialectFields(form, file, text, edits, context);
    if (edited.ok) text = edited.value;
    else notes.push(lost(folder, card.file, [field], `'${field}' of '${card.name}': ${edited.error.message}`));
  }
  const body = editDialect(form, file, text, { op: 'instruction', text: card.instruction ?? '' });
  if (body.ok) text = body.value;
  else notes.push(lost(folder, card.file, [], body.error.message));
  if (text !== '') files.set(file, { kind: 'text', text });
  notes.push(...otherNotes(folder, parsed, dialect, card, form));
}

function editsFor(parsed: ParsedFolder, card: AgentCard): readonly (readonly [string, readonly YamlEdit[]])[] {
  const plain = new Set(parsed.cards.filter(({ type }) => type === 'agent').map(({ name }) => name));
  const callees = card.agents.filter((name) => plain.has(name));
  const set = (field: string, value: Json): YamlEdit => ({ op: 'set', path: [field], value });
  const filters = Object.entries(card.tools).filter(([server]) => card.servers.includes(server));
  return [
    ['name', [set('name', card.name)]],
    ...(card.description === undefined ? [] : [['description', [set('description', card.description)]] as const]),
    ...(card.model === undefined ? [] : [['model', [set('model', card.model)]] as const]),
    ...(card.toolOnly ? [['tool_only', [set('tool_only', true)]] as const] : []),
    ...(card.servers.length === 0
      ? []
      : [
          [
            'servers',
            [set('servers', card.servers), ...(filters.length > 0 ? [set('tools', Object.fromEntries(filters))] : [])],
          ] as const,
        ]),
    ...(card.shell ? [['shell', [set('shell', true)]] as const] : []),
    ...(callees.length === 0 ? [] : [['agents', [set('agents', callees)]] as const]),
  ];
}

/** The fields of an AgentCard that are tried, or that say nothing about a run. */
const written = new Set([
  ...['type', 'name', 'description', 'model', 'servers', 'tools', 'shell', 'agents', 'tool_only'],
  ...['instruction', 'schema_version', 'default'],
]);

/** Notes about what was not tried: fields that the form does not have, workflows that are called, and the first agent. */
function otherNotes(
  folder: Folder,
  parsed: ParsedFolder,
  dialect: Dialect,
  card: AgentCard,
  form: DialectForm,
): readonly ExportNote[] {
  const own = dialectFormOf(card.file);
  const text = textOf(folder, card.file);
  const fields: unknown =
    own === undefined ? readDocument(text, card.file) : openDialectText(own, card.file, text).written;
  const known =
    own === undefined ? written : new Set(own.fields.flatMap(({ name, use }) => (use === 'works' ? [name] : [])));
  const odd = isRecord(fields) ? Object.keys(fields).filter((key) => !known.has(key)) : [];
  const gone = card.agents.filter((name) =>
    parsed.cards.some((one: Card) => one.name === name && one.type !== 'agent'),
  );
  return [
    ...odd.map((key) =>
      lost(folder, card.file, [key], `'${key}' of '${card.name}': ${form.noPlace(key, { tools: [] })}`),
    ),
    ...gone.map((name) =>
      lost(folder, card.file, ['agents'], `'${card.name}' no longer calls the workflow '${name}'.`),
    ),
    ...(card.isDefault && own === undefined
      ? [
          noteAt(
            folder,
            card.file,
            ['default'],
            'differs',
            `A person chooses '${card.name}' in ${dialect.name}; it does not begin by itself.`,
          ),
        ]
      : []),
    ...(/(?<!\\)\{\{/.test(card.instruction ?? '')
      ? [
          noteAt(
            folder,
            card.file,
            ['instruction'],
            'differs',
            `Braces in the instruction of '${card.name}' are text in ${dialect.name}: nothing fills them in.`,
          ),
        ]
      : []),
  ];
}

/** Moves the servers to the program's own file. Other values of the config are left out. */
function writeServers(folder: Folder, parsed: ParsedFolder, dialect: Dialect, { files, notes }: Output): void {
  const { config } = parsed;
  const to = dialect.configFile;
  const form = to === undefined ? undefined : dialectFormOf(to);
  const draft = new FolderDraft(folder);
  let text = to === undefined ? '' : textOf(folder, to);
  for (const name of Object.keys(config.servers)) {
    const path = ['mcp', 'servers', name];
    const value = config.file === undefined ? undefined : draft.read(config.file, path);
    if (to === undefined || form === undefined || config.file === undefined || !isJson(value)) continue;
    const edited = editDialectFields(form, to, text, [{ op: 'set', path, value }], { servers: [] });
    if (edited.ok) text = edited.value;
    else notes.push(lost(folder, config.file, path, edited.error.message));
  }
  if (to !== undefined && text !== '') files.set(to, { kind: 'text', text });
  for (const file of [config.file, config.beside?.file]) {
    if (file === undefined) continue;
    files.delete(file);
    notes.push(...keysLost(folder, file, dialect, ['mcp', 'mcpServers', 'servers', 'inputs']));
  }
}

function keysLost(folder: Folder, file: string, dialect: Dialect, but: readonly string[]): readonly ExportNote[] {
  const fields = folder.has(file) ? readDocument(textOf(folder, file), file) : undefined;
  const keys = isRecord(fields) ? Object.keys(fields).filter((key) => !but.includes(key)) : [];
  return keys.map((key) =>
    lost(folder, file, [key], `'${key}' is not exported: ${dialect.name} does not read ${file}.`),
  );
}

function freeFile(
  files: ReadonlyMap<string, FolderFile>,
  { directory, fileEnd = '.md' }: Dialect,
  name: string,
): string {
  for (let n = 1; ; n++) {
    const file = `${directory}/${fileStem(name) || 'agent'}${n === 1 ? '' : `-${n}`}${fileEnd}`;
    if (!files.has(file)) return file;
  }
}

function textOf(folder: Folder, path: string): string {
  const file = folder.get(path);
  return file?.kind === 'text' ? file.text : '';
}

function lost(folder: Folder, file: string, path: readonly string[], message: string): ExportNote {
  return noteAt(folder, file, path, 'lost', message);
}

function noteAt(
  folder: Folder,
  file: string,
  path: readonly string[],
  kind: ExportNote['kind'],
  message: string,
): ExportNote {
  return { kind, file, line: locateField(folder, file, path)?.line ?? 1, message };
}
