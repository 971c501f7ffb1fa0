import { isRecord, type Json } from '@/lib/base/json';
import { forwardedTypes } from '@/lib/cards/delegation-settings';

/**
 * Describes an option of a delegation: its place in callboard.yaml, what it accepts, and the default. docs/delegation.md
 * says what each does.
 */
export interface DelegationField {
  /** The path below `delegations.<parent>.<child>`. */
  readonly path: readonly string[];
  readonly label: string;
  readonly hint?: string;
  readonly input: FieldInput;
}

export type FieldInput =
  | { readonly kind: 'text' | 'lines' | 'schema'; readonly unset: string }
  | { readonly kind: 'number'; readonly unset: string; readonly unit?: string }
  | { readonly kind: 'names'; readonly unset: string }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[]; readonly unset: string };

/** One way to set an option: a plain value, or an object with one member that is typed in. */
export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly value: Json;
  readonly member?: { readonly key: string; readonly kind: 'number' | 'names'; readonly label: string };
  /** Members by which an object is recognised as this choice, whatever else is in it. */
  readonly having?: Readonly<Record<string, Json>>;
}

export interface DelegationGroup {
  readonly title: string;
  readonly fields: readonly DelegationField[];
}

const plain = (id: string, label: string, value: Json = id): Choice => ({ id, label, value });
const yesNo: readonly Choice[] = [plain('yes', 'Yes', true), plain('no', 'No', false)];

export const delegationGroups: readonly DelegationGroup[] = [
  {
    title: 'Identity',
    fields: [
      {
        path: ['tool_name'],
        label: 'Tool name',
        hint: "What the parent's model calls.",
        input: { kind: 'text', unset: '' },
      },
      {
        path: ['description'],
        label: 'Description',
        hint: "Replaces the child's own description for this parent.",
        input: { kind: 'lines', unset: 'as the child’s card says' },
      },
    ],
  },
  {
    title: 'Input',
    fields: [
      {
        path: ['input_mode'],
        label: 'Arguments become the message',
        input: {
          kind: 'choice',
          unset: '',
          choices: [
            plain('text_json', 'text_json: text, else JSON'),
            plain('request', 'request: one text'),
            plain('message', 'message: one text, not empty'),
            plain('input_data', 'input_data: any value'),
            plain('schema', 'schema: by the input schema'),
          ],
        },
      },
      {
        path: ['input_schema'],
        label: 'Input schema',
        hint: 'JSON Schema; arguments are checked against it.',
        input: { kind: 'schema', unset: 'as the child’s card says' },
      },
      {
        path: ['history'],
        label: 'Parent’s conversation',
        hint: 'What the child reads before its own message.',
        input: {
          kind: 'choice',
          unset: 'none',
          choices: [
            plain('none', 'None of it'),
            plain('full', 'All of it'),
            {
              id: 'last',
              label: 'The last exchanges',
              value: { last: 1 },
              member: { key: 'last', kind: 'number', label: 'Exchanges' },
            },
          ],
        },
      },
      {
        path: ['attachments', 'max'],
        label: 'Attachments at most',
        hint: 'Project files the parent may hand over in one call.',
        input: { kind: 'number', unset: '4 where attachments are on' },
      },
      {
        path: ['attachments', 'max_bytes'],
        label: 'Bytes of all attachments',
        input: { kind: 'number', unset: '10,000,000', unit: 'bytes' },
      },
      { path: ['attachments', 'allow'], label: 'Endings allowed', input: { kind: 'names', unset: 'all' } },
      { path: ['attachments', 'deny'], label: 'Endings refused', input: { kind: 'names', unset: 'none' } },
    ],
  },
  {
    title: 'Execution',
    fields: [
      {
        path: ['model'],
        label: 'Model',
        hint: 'For a child whose card names none.',
        input: { kind: 'text', unset: 'its caller’s' },
      },
      {
        path: ['timeout_ms'],
        label: 'Time limit',
        hint: 'Counts from the child’s start, not while it waits.',
        input: { kind: 'number', unset: 'as the parent’s card says', unit: 'ms' },
      },
      {
        path: ['max_attempts'],
        label: 'Attempts',
        hint: 'Each call has an instance of its own.',
        input: { kind: 'number', unset: '1' },
      },
      { path: ['max_depth'], label: 'Depth at most', input: { kind: 'number', unset: '' } },
      {
        path: ['recursive'],
        label: 'May close a cycle',
        hint: 'Every edge of the cycle must allow it.',
        input: { kind: 'choice', unset: 'no', choices: yesNo },
      },
      {
        path: ['cache'],
        label: 'Equal calls share an answer',
        input: { kind: 'choice', unset: 'no', choices: yesNo },
      },
      {
        path: ['isolation'],
        label: 'Instances',
        input: {
          kind: 'choice',
          unset: 'clone',
          choices: [
            plain('clone', 'A new one for each call'),
            plain('shared', 'One, shared by all calls'),
            {
              id: 'pool',
              label: 'A pool',
              value: { pool: 2 },
              member: { key: 'pool', kind: 'number', label: 'Instances at once' },
            },
          ],
        },
      },
      {
        path: ['inherit_run_hooks'],
        label: 'Hooks of the run wrap its calls',
        input: { kind: 'choice', unset: 'yes', choices: yesNo },
      },
      {
        path: ['forward_events'],
        label: 'Live stream of the parent',
        hint: 'Everything is recorded either way.',
        input: {
          kind: 'choice',
          unset: 'all',
          choices: [
            plain('all', 'All events', true),
            plain('none', 'Beginning and end only', false),
            {
              id: 'types',
              label: 'These events',
              value: { types: [...forwardedTypes] },
              member: { key: 'types', kind: 'names', label: 'Types' },
            },
            {
              id: 'whole',
              label: 'These events, with all text each time',
              value: { types: [...forwardedTypes], incremental: false },
              member: { key: 'types', kind: 'names', label: 'Types' },
              having: { incremental: false },
            },
          ],
        },
      },
    ],
  },
  {
    title: 'State and artifacts',
    fields: [
      {
        path: ['state', 'down'],
        label: 'State handed down',
        input: {
          kind: 'choice',
          unset: 'filtered',
          choices: [
            plain('filtered', 'All except internal keys'),
            plain('none', 'Nothing'),
            {
              id: 'keys',
              label: 'These keys',
              value: { keys: [] },
              member: { key: 'keys', kind: 'names', label: 'Keys' },
            },
          ],
        },
      },
      {
        path: ['state', 'isolate'],
        label: 'Its changes stay with it',
        input: { kind: 'choice', unset: 'no', choices: yesNo },
      },
      { path: ['state', 'write_keys'], label: 'Keys it may write', input: { kind: 'names', unset: 'any' } },
      {
        path: ['state', 'on_conflict'],
        label: 'A key that changed meanwhile',
        input: {
          kind: 'choice',
          unset: 'overwrite',
          choices: [plain('overwrite', 'Is overwritten'), plain('reject', 'Fails the call')],
        },
      },
      { path: ['state', 'conflict_exempt'], label: 'Keys that are ignored', input: { kind: 'names', unset: 'none' } },
      {
        path: ['artifacts', 'forward'],
        label: 'Saves where its parent does',
        input: { kind: 'choice', unset: 'yes', choices: yesNo },
      },
      {
        path: ['artifacts', 'write_prefixes'],
        label: 'Prefixes of names it may save',
        input: { kind: 'names', unset: 'any' },
      },
    ],
  },
  {
    title: 'Result',
    fields: [
      {
        path: ['output_schema'],
        label: 'Output schema',
        hint: 'JSON Schema; the answer is checked against it.',
        input: { kind: 'schema', unset: 'none' },
      },
      {
        path: ['skip_summarization'],
        label: 'Its result is the parent’s answer',
        input: { kind: 'choice', unset: 'no', choices: yesNo },
      },
      {
        path: ['failure_mode'],
        label: 'When it fails',
        input: {
          kind: 'choice',
          unset: 'result',
          choices: [plain('result', 'The parent reads the error'), plain('propagate', 'The parent fails too')],
        },
      },
    ],
  },
  {
    title: 'Session',
    fields: [
      {
        path: ['session'],
        label: 'Conversation between calls',
        input: {
          kind: 'choice',
          unset: 'none',
          choices: [
            plain('none', 'None: each call is new'),
            plain('addressed', 'The parent names the session'),
            plain('reuse', 'One, continued'),
          ],
        },
      },
    ],
  },
];

/** Returns what is written at a path, or `undefined` when nothing is. */
export function valueAt(options: unknown, path: readonly string[]): Json | undefined {
  let at: unknown = options;
  for (const key of path) {
    if (!isRecord(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at as Json | undefined;
}

/** Returns the choice that a value stands for. */
export function choiceOf(choices: readonly Choice[], value: Json | undefined): Choice | undefined {
  const members = isRecord(value) && !Array.isArray(value) ? value : undefined;
  const exact = choices.find(
    ({ having }) => having && members && Object.entries(having).every(([key, wanted]) => members[key] === wanted),
  );
  return (
    exact ??
    choices.find(({ member, value: plainly }) =>
      member === undefined ? plainly === value : members !== undefined && Object.hasOwn(members, member.key),
    )
  );
}

export function namesToText(value: Json | undefined): string {
  return Array.isArray(value) ? value.join(', ') : '';
}

/** Reads names: `a, b` gives ['a', 'b'], an empty text `undefined`. */
export function textToNames(text: string): readonly string[] | undefined {
  const names = text
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length === 0 ? undefined : names;
}
