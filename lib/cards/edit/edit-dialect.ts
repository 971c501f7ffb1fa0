import type { Issue } from '@/lib/base/issue';
import { isJson, isRecord, type Json } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { CardFields, DialectForm, Written } from '@/lib/cards/dialects/form/dialect';
import { bodyOf, instructionIn, openDialectText, readFields, sourceIn } from '@/lib/cards/dialects/open-text';
import { coverLines } from '@/lib/cards/dialects/quoted-lines';
import type { CardSource } from '@/lib/cards/source';
import { editJson } from '@/lib/cards/yaml/edit-json';
import { expectedAfter, sameValue } from '@/lib/cards/yaml/edit-value';
import { editYamlText } from '@/lib/cards/yaml/edit-yaml';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import { jsonEdits } from './json-edits';

export type DialectEdit = YamlEdit | { readonly op: 'instruction'; readonly text: string };

/**
 * Edits a file of another program in place. The edit is one of a card or of the config; what it stands for is written into the
 * file's own fields, and only their lines change:
 *
 *     file ──read──▶ card ──edit──▶ wanted card ──write, field by field──▶ file     (read again, it must be the wanted card)
 */
export function editDialect(form: DialectForm, file: string, text: string, edit: DialectEdit): Result<string, Issue> {
  if (edit.op === 'instruction') return editBody(form, file, text, edit.text);
  const [first] = edit.path;
  if (form.role === 'card' && first === 'instruction') {
    const next = edit.op === 'set' && typeof edit.value === 'string' ? edit.value : '';
    return editBody(form, file, text, next);
  }
  const open = openDialectText(form, file, text);
  const [fault] = open.yaml.faults;
  if (fault !== undefined) return err(refusal(file, `The fields of ${file} cannot be read: ${fault.message}`));
  const wanted = expectedAfter(open.yaml.value, edit);
  if (!wanted.ok) return err(refusal(file, wanted.error));
  const fields = isRecord(wanted.value) ? wanted.value : {};
  const next = writtenFor(form, open.written, open.yaml.value, fields);
  const edited = editWritten(form, file, text, open.written, next);
  if (!edited.ok) return edited;
  const after = openDialectText(form, file, edited.value).yaml.value;
  const normal = (value: unknown) => (isRecord(value) ? (form.normal?.(value) ?? value) : value);
  if (sameValue(normal(after), normal(fields))) return edited;
  return err(refusal(file, form.noPlace(String(first ?? ''))));
}

/** Returns the fields of the file for a card. Only fields that have a part in what changed are written anew. */
function writtenFor(form: DialectForm, written: Written, before: unknown, wanted: CardFields): Written {
  const old = isRecord(before) ? before : {};
  const keys = new Set([...Object.keys(old), ...Object.keys(wanted)]);
  const changed = [...keys].filter((key) => !sameValue(old[key], wanted[key]));
  const next: Record<string, unknown> = { ...written };
  for (const field of form.fields) {
    if (field.write === undefined || !field.gives.some((key) => changed.includes(key))) continue;
    const value = field.write(wanted, next);
    if (value === undefined) delete next[field.name];
    else if (!readsAlike(form, next, field.name, value)) next[field.name] = value;
  }
  return next;
}

/** True if the value that is written says the same already, perhaps in another way. */
function readsAlike(form: DialectForm, written: Written, name: string, value: Json): boolean {
  if (written[name] === undefined) return false;
  return sameValue(readFields(form, written).fields, readFields(form, { ...written, [name]: value }).fields);
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
    const edited = form.syntax === 'json' ? editJson(now, edit) : editFrontMatter(form, file, now, edit);
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
  if (body === undefined) return err(refusal(file, form.noPlace('instruction')));
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
  const wanted = bodyOf(instruction.replace(/\r\n?/g, '\n')).replaceAll('{{', '\\{{');
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
