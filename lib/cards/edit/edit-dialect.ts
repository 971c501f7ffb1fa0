import type { Issue } from '@/lib/base/issue';
import { isJson, isRecord, type Json } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { CardFields, DialectContext, DialectForm, Written } from '@/lib/cards/dialects/form/dialect';
import { coverLines } from '@/lib/cards/dialects/form/quoted-lines';
import {
  bodyOf,
  type DialectText,
  escapeBraces,
  instructionIn,
  isJsonForm,
  openDialectText,
  readFields,
  sourceIn,
} from '@/lib/cards/dialects/open-text';
import type { CardSource } from '@/lib/cards/source';
import { editJson } from '@/lib/cards/yaml/edit-json';
import { expectedAfter, sameValue } from '@/lib/cards/yaml/edit-value';
import { editYamlText } from '@/lib/cards/yaml/edit-yaml';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import { jsonEdits } from './json-edits';

export type DialectEdit = YamlEdit | { readonly op: 'instruction'; readonly text: string };

/** True for an edit of the fields of a file. The others replace the text below them. */
export function isFieldEdit(edit: DialectEdit): edit is YamlEdit {
  return edit.op !== 'instruction' && edit.path[0] !== 'instruction';
}

/** Makes one edit of a file of another program. */
export function editDialect(form: DialectForm, file: string, text: string, edit: DialectEdit): Result<string, Issue> {
  if (edit.op === 'instruction') return editBody(form, file, text, edit.text);
  const isBody = form.role === 'card' && edit.path[0] === 'instruction';
  if (!isBody) return editDialectFields(form, file, text, [edit], alone);
  return editBody(form, file, text, edit.op === 'set' && typeof edit.value === 'string' ? edit.value : '');
}

const alone: DialectContext = { servers: [] };

/**
 * Edits the fields of a file of another program in place. The edits are those of a card or of the config; what they stand for
 * together is written into the file's own fields, and only their lines change:
 *
 *     file ──read──▶ card ──edits──▶ wanted card ──write, field by field──▶ file     (read again, it must be the wanted card)
 */
export function editDialectFields(
  form: DialectForm,
  file: string,
  text: string,
  edits: readonly YamlEdit[],
  context: DialectContext,
): Result<string, Issue> {
  const open = openDialectText(form, file, text, context);
  const wanted = wantedFields(open, file, edits);
  if (!wanted.ok) return wanted;
  const next = writtenFor({ form, written: open.written, context }, open.yaml.value, wanted.value);
  const edited = editWritten(form, file, text, open.written, next);
  if (!edited.ok) return edited;
  const after = openDialectText(form, file, edited.value, withNamed(context, wanted.value)).yaml.value;
  const odd = differing(normalIn(form, after), normalIn(form, wanted.value));
  return odd === undefined ? edited : err(refusal(file, form.noPlace(odd, open.written)));
}

/** Gives a server another name in a file of another program. `undefined` if its form leaves this to the fields of its card. */
export function renameServerIn(
  form: DialectForm,
  file: string,
  text: string,
  { from, to, context }: { readonly from: string; readonly to: string; readonly context: DialectContext },
): Result<string, Issue> | undefined {
  const { written, yaml } = openDialectText(form, file, text, context);
  if (form.renameServer === undefined || yaml.faults.length > 0) return undefined;
  return editWritten(form, file, text, written, form.renameServer(written, from, to, context));
}

/** Returns the fields of a card, or of the config, after edits that are not written yet. */
export function wantedFields(
  open: DialectText,
  file: string,
  edits: readonly YamlEdit[],
): Result<Readonly<CardFields>, Issue> {
  const [fault] = open.yaml.faults;
  if (fault !== undefined) return err(refusal(file, `The fields of ${file} cannot be read: ${fault.message}`));
  let fields = open.yaml.value;
  for (const edit of edits) {
    const next = expectedAfter(fields, edit);
    if (!next.ok) return err(refusal(file, next.error));
    fields = next.value;
  }
  return ok(isRecord(fields) ? fields : {});
}

/** A server may have its new name in the same change. */
function withNamed({ servers }: DialectContext, card: Readonly<CardFields>): DialectContext {
  const named: readonly unknown[] = Array.isArray(card.servers) ? card.servers : [];
  return { servers: [...servers, ...named.filter((one): one is string => typeof one === 'string')] };
}

function normalIn(form: DialectForm, value: unknown): Readonly<CardFields> {
  if (!isRecord(value)) return {};
  return form.normal?.(value) ?? value;
}

/** Returns the first field that differs. */
function differing(after: Readonly<CardFields>, wanted: Readonly<CardFields>): string | undefined {
  const keys = new Set([...Object.keys(wanted), ...Object.keys(after)]);
  return [...keys].find((key) => !sameValue(after[key], wanted[key]));
}

/** A file as it is written, with what its reading needs. */
interface WrittenFile {
  readonly form: DialectForm;
  readonly written: Written;
  readonly context: DialectContext;
}

/** Returns the fields of the file for a card. Only fields that have a part in what changed are written anew. */
function writtenFor({ form, written, context }: WrittenFile, before: unknown, wanted: CardFields): Written {
  const card = isRecord(before) ? before : {};
  const keys = new Set([...Object.keys(card), ...Object.keys(wanted)]);
  const changed = [...keys].filter((key) => !sameValue(card[key], wanted[key]));
  const next: Record<string, unknown> = { ...written };
  for (const field of form.fields) {
    if (field.write === undefined || !field.gives.some((key) => changed.includes(key))) continue;
    const value = field.write(wanted, next, { card, context });
    if (value === undefined) delete next[field.name];
    else if (!readsAlike({ form, written: next, context }, field.name, value)) next[field.name] = value;
  }
  return next;
}

/** True if the value that is written says the same already by itself, perhaps in another way. */
function readsAlike({ form, written, context }: WrittenFile, name: string, value: Json): boolean {
  if (written[name] === undefined) return false;
  const readingOf = (one: unknown) => readFields(form, { [name]: one }, context).fields;
  return sameValue(readingOf(written[name]), readingOf(value));
}

function editWritten(
  form: DialectForm,
  file: string,
  text: string,
  before: Written,
  after: Written,
): Result<string, Issue> {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const edits = keys.flatMap((key) => {
    const next = after[key];
    return jsonEdits([key], before[key], isJson(next) ? next : undefined);
  });
  let now = text;
  for (const edit of edits) {
    const edited = isJsonForm(form) ? editJson(now, edit) : editFrontMatter(form, file, now, edit);
    if (typeof edited === 'string') now = edited;
    else if (edited === undefined) return err(refusal(file, `${file} cannot be changed in place.`));
    else if (edited.ok) now = edited.value;
    else return edited;
  }
  return ok(now);
}

function editFrontMatter(form: DialectForm, file: string, text: string, edit: YamlEdit): Result<string, Issue> {
  const source = sourceIn(form, file, text);
  const { yaml } = source;
  if (yaml === undefined) return err(refusal(file, `${file} has no fields.`));
  const covered = coverLines(yaml.text, yaml.offset);
  const order = form.fields.map(({ name }) => name);
  const edited = editYamlText({ text: covered.text, whole: text, offset: yaml.offset, file, order }, edit);
  if (!edited.ok) return edited;
  const open = edited.value === '' || edited.value.endsWith('\n') ? edited.value : edited.value + source.eol;
  const lines = yaml.text.includes('\n') ? open : open.replace(/\r?\n/g, source.eol);
  return ok(text.slice(0, yaml.offset) + covered.uncover(lines) + text.slice(yaml.offset + yaml.text.length));
}

/** Replaces the text below the fields. The blank lines around it stay. */
function editBody(form: DialectForm, file: string, text: string, instruction: string): Result<string, Issue> {
  const source = sourceIn(form, file, text);
  const { body } = source;
  if (body === undefined) return err(refusal(file, form.noPlace('instruction', {})));
  const [start, end] = coreOf(body.text);
  const core = bodyOf(instruction.replace(/\r\n?/g, '\n')).replaceAll('\n', source.eol);
  const isClosed = body.offset === 0 || source.text[body.offset - 1] === '\n' || source.text.length === 0;
  const lead = core !== '' && !isClosed ? source.eol : '';
  const tail = core !== '' && !body.text.slice(end).includes('\n') && body.text.trim() === '' ? source.eol : '';
  const edited =
    source.text.slice(0, body.offset) + lead + body.text.slice(0, start) + core + tail + body.text.slice(end);
  const again = sourceIn(form, file, edited);
  if (isSame(again, source, instruction)) return ok(edited);
  return err(refusal(file, `The instruction cannot begin in this way in ${file}. Change the text instead.`));
}

function isSame(after: CardSource, before: CardSource, instruction: string): boolean {
  const wanted = escapeBraces(bodyOf(instruction.replace(/\r\n?/g, '\n')));
  return instructionIn(after) === wanted && after.yaml?.text === before.yaml?.text;
}

/** Returns the range of a text without the blanks around it. */
function coreOf(body: string): readonly [number, number] {
  const start = body.length - body.trimStart().length;
  return start === body.length ? [start, start] : [start, body.trimEnd().length];
}

function refusal(file: string, message: string): Issue {
  return { code: 'cannot-edit', severity: 'error', stage: 'callboard', file, line: 1, column: 1, message };
}
