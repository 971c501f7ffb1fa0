import type { Issue } from '@/lib/base/issue';
import { err, ok, type Result } from '@/lib/base/result';
import { dialectFormOf } from '@/lib/cards/dialects/find-dialect';
import { LineIndex } from '@/lib/cards/line-index';
import { type CardSource, splitSource } from '@/lib/cards/source';
import { editYamlText, type KeyOrder } from '@/lib/cards/yaml/edit-yaml';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';
import { editDialect } from './edit-dialect';

export type CardEdit = YamlEdit | { readonly op: 'instruction'; readonly text: string };

/** The order for new keys: first those that fast-agent writes, in its order, then the fields that it never writes. */
const cardOrder: KeyOrder = [
  ...['type', 'name', 'schema_version', 'default', 'tool_only', 'subagents', 'subagent_model', 'harness_tools'],
  ...[
    'description',
    'tool_input_schema',
    'model',
    'human_input',
    'save_trajectory',
    'api_key',
    'servers',
    'mcp_connect',
  ],
  ...['tools', 'resources', 'prompts', 'use_history', 'skills', 'request_params', 'messages', 'agents'],
  ...['history_source', 'history_merge_target', 'max_parallel', 'child_timeout_sec', 'max_display_instances'],
  ...['function_tools', 'tool_hooks', 'lifecycle_hooks', 'commands', 'trim_tool_history'],
  ...['sequence', 'cumulative', 'fan_out', 'fan_in', 'include_request', 'generator', 'evaluator', 'min_rating'],
  ...['max_refinements', 'refinement_instruction', 'plan_type', 'plan_iterations', 'worker', 'k', 'max_samples'],
  ...['match_strategy', 'red_flag_max_length', 'url', 'transport', 'streaming', 'polling', 'accepted_output_modes'],
  ...['headers', 'auth', 'relative_card_path', 'request_timeout_seconds', 'shell', 'cwd', 'variables', 'instruction'],
];

/**
 * Edits a card in place: only the lines of the changed value change. `file` decides between Markdown and YAML and is named in
 * the Issue when the text cannot be changed safely. New lines get the line ends of the file. The edit of a file of another program is
 * written into that program's fields.
 */
export function editCard(text: string, file: string, edit: CardEdit): Result<string, Issue> {
  const form = dialectFormOf(file);
  if (form !== undefined) return editDialect(form, file, text, edit);
  const source = splitSource(file, text);
  if (edit.op === 'instruction') return editInstruction(source, file, edit.text);
  return editFields(source, file, edit);
}

function editFields(source: CardSource, file: string, edit: YamlEdit): Result<string, Issue> {
  const { text, yaml } = source;
  if (yaml !== undefined) {
    const edited = editYamlText({ text: yaml.text, whole: text, offset: yaml.offset, file, order: cardOrder }, edit);
    if (!edited.ok) return edited;
    return ok(text.slice(0, yaml.offset) + inLines(edited.value, source) + text.slice(yaml.offset + yaml.text.length));
  }
  if (source.fence !== undefined) {
    const reason = source.fence === '+++' ? 'is TOML' : 'has no closing --- line';
    return err(cannotEdit(file, text, 0, `The front matter of ${file} ${reason}.`));
  }
  const start = source.bom ? 1 : 0;
  const edited = editYamlText({ text: '', whole: text, offset: start, file, order: cardOrder }, edit);
  if (!edited.ok || edited.value === '') return edited.ok ? ok(text) : edited;
  const head = `---\n${edited.value}---\n`.replaceAll('\n', source.eol);
  return ok(text.slice(0, start) + head + text.slice(start));
}

/** Front matter of one line has no line end to copy, so that of the file is used. */
function inLines(yaml: string, source: CardSource): string {
  const before = source.yaml?.text ?? '';
  const open = yaml !== '' && source.kind === 'markdown' && !yaml.endsWith('\n') ? yaml + source.eol : yaml;
  return source.eol === '\r\n' && !before.includes('\n') ? open.replace(/\r?\n/g, '\r\n') : open;
}

/**
 * Replaces the instruction where it is: in the body of a Markdown card (after a leading `---SYSTEM` line, between blank
 * lines), or in the `instruction` field of a card that has the field, such as a YAML card.
 */
function editInstruction(source: CardSource, file: string, instruction: string): Result<string, Issue> {
  const text = instruction.replace(/\r\n?/g, '\n');
  const field = instructionField(source);
  if (source.kind === 'yaml' || field !== undefined) {
    if (text.trim() === '') return editFields(source, file, { op: 'remove', path: ['instruction'] });
    const value = field?.endsWith('\n') && !text.endsWith('\n') ? `${text}\n` : text;
    return editFields(source, file, { op: 'set', path: ['instruction'], value });
  }
  const { body } = source;
  if (body === undefined || source.fence === '+++' || (source.fence === '---' && source.yaml === undefined)) {
    return err(cannotEdit(file, source.text, 0, `The front matter of ${file} cannot be read.`));
  }
  const [start, end] = coreOf(body.text);
  const core = text.trim().replaceAll('\n', source.eol);
  const closed = body.offset === 0 || source.text[body.offset - 1] === '\n' || body.offset === (source.bom ? 1 : 0);
  const lead = core !== '' && !closed ? source.eol : '';
  const tail = core !== '' && body.text.trim() === '' && !body.text.slice(end).includes('\n') ? source.eol : '';
  const changed = body.text.slice(0, start) + core + tail + body.text.slice(end);
  const edited = source.text.slice(0, body.offset) + lead + changed;
  const again = splitSource(file, edited);
  if (instructionOf(again) === text.trim() && again.yaml?.text === source.yaml?.text) return ok(edited);
  const why = 'The instruction begins with a line that has a meaning in the card format (--- or ---SYSTEM).';
  return err(cannotEdit(file, source.text, body.offset, why));
}

/** Returns the instruction in the body, without `---SYSTEM` and surrounding whitespace. */
function instructionOf(source: CardSource): string {
  const body = source.body?.text ?? '';
  const [start, end] = coreOf(body);
  return body.slice(start, end).replaceAll('\r\n', '\n');
}

/** Returns the range of the instruction in a body. */
function coreOf(body: string): [number, number] {
  const blank = /^\s*/.exec(body)?.[0].length ?? 0;
  const system = /^---SYSTEM[^\S\n]*(?:\n\s*|$)/.exec(body.slice(blank))?.[0].length ?? 0;
  const start = blank + system;
  const end = body.length - (/\s*$/.exec(body.slice(start))?.[0].length ?? 0);
  // In an empty body the instruction comes after the first line break, if any.
  return start >= body.length ? [start, start] : [start, end];
}

function instructionField(source: CardSource): string | undefined {
  if (source.yaml === undefined) return undefined;
  const { value } = parseYaml(source.yaml);
  if (typeof value !== 'object' || value === null || !('instruction' in value)) return undefined;
  return typeof value.instruction === 'string' ? value.instruction : undefined;
}

function cannotEdit(file: string, text: string, offset: number, why: string): Issue {
  const { line, column } = new LineIndex(text).positionOf(offset);
  const message = `${why} Change line ${line} of ${file} in the text instead.`;
  return { code: 'cannot-edit', severity: 'error', stage: 'callboard', file, line, column, message };
}
