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
  | { readonly kind: 'text' | 'lines' | 'model' | 'schema'; readonly unset: string }
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
        label: 'Input mode',
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
        label: 'History',
        hint: 'What the child reads before its own message.',
        input: {
          kind: 'choice',
          unset: 'none',
          choices: [
            plain('none', 'none'),
            plain('full', 'full: all of it'),
            {
              id: 'last',
              label: 'last: the last exchanges',
              value: { last: 1 },
              member: { key: 'last', kind: 'number', label: 'Exchanges' },
            },
          ],
        },
      },
      {
        path: ['attachments', 'max'],
        label: 'Max attachments',
        hint: 'Project files the parent may hand over in one call.',
        input: { kind: 'number', unset: '4 where attachments are on' },
      },
      {
        path: ['attachments', 'max_bytes'],
        label: 'Max bytes',
        input: { kind: 'number', unset: '10,000,000', unit: 'bytes' },
      },
      { path: ['attachments', 'allow'], label: 'Allow extensions', input: { kind: 'names', unset: 'all' } },
      { path: ['attachments', 'deny'], label: 'Deny extensions', input: { kind: 'names', unset: 'none' } },
      {
        path: ['attachments', 'approval'],
        label: 'Ask for attachments',
        hint: 'Whether a person is asked for each file.',
        input: {
          kind: 'choice',
          unset: '',
          choices: [plain('allow', 'allow: hand over at once'), plain('ask', 'ask: for each file')],
        },
      },
    ],
  },
  {
    title: 'Execution',
    fields: [
      {
        path: ['model'],
        label: 'Model',
        hint: 'For a child whose card has no model.',
        input: { kind: 'model', unset: 'its caller’s' },
      },
      {
        path: ['timeout_ms'],
        label: 'Timeout',
        hint: 'Counts from the child’s start, not while it waits.',
        input: { kind: 'number', unset: 'as the parent’s card says', unit: 'ms' },
      },
      {
        path: ['max_attempts'],
        label: 'Max attempts',
        hint: 'Each call has an instance of its own.',
        input: { kind: 'number', unset: '1' },
      },
      {
        path: ['max_depth'],
        label: 'Max depth',
        hint: 'Nesting of agents; the root has 0.',
        input: { kind: 'number', unset: '' },
      },
      {
        path: ['recursive'],
        label: 'Recursive',
        hint: 'It may be part of a cycle, if every edge of the cycle is recursive.',
        input: { kind: 'choice', unset: 'no', choices: yesNo },
      },
      {
        path: ['cache'],
        label: 'Cache',
        hint: 'Equal calls share one answer.',
        input: { kind: 'choice', unset: 'no', choices: yesNo },
      },
      {
        path: ['isolation'],
        label: 'Isolation',
        input: {
          kind: 'choice',
          unset: 'clone',
          choices: [
            plain('clone', 'clone: a new one for each call'),
            plain('shared', 'shared: one for all calls'),
            {
              id: 'pool',
              label: 'pool: several, kept ready',
              value: { pool: 2 },
              member: { key: 'pool', kind: 'number', label: 'Pool size' },
            },
          ],
        },
      },
      {
        path: ['approval'],
        label: 'Approval',
        hint: 'Whether a call waits for a person. Else approvals in callboard.yaml decide.',
        input: {
          kind: 'choice',
          unset: '',
          choices: [
            plain('allow', 'allow: run at once'),
            plain('ask', 'ask: a person approves each call'),
            plain('deny', 'deny: never run'),
          ],
        },
      },
      {
        path: ['enable_hitl'],
        label: 'Hand on questions',
        hint: 'A child that waits for people is handed to this parent, in programs that embed the runtime.',
        input: { kind: 'choice', unset: 'no', choices: yesNo },
      },
      {
        path: ['inherit_run_hooks'],
        label: 'Inherit run hooks',
        hint: 'Hooks of the run wrap its calls too.',
        input: { kind: 'choice', unset: 'yes', choices: yesNo },
      },
      {
        path: ['forward_events'],
        label: 'Forward events',
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
        label: 'State down',
        input: {
          kind: 'choice',
          unset: 'filtered',
          choices: [
            plain('filtered', 'filtered: all but internal keys'),
            plain('none', 'none'),
            {
              id: 'keys',
              label: 'keys: these',
              value: { keys: [] },
              member: { key: 'keys', kind: 'names', label: 'Keys' },
            },
          ],
        },
      },
      {
        path: ['state', 'isolate'],
        label: 'Isolate state',
        hint: 'The parent does not get its changes.',
        input: { kind: 'choice', unset: 'no', choices: yesNo },
      },
      { path: ['state', 'write_keys'], label: 'Write keys', input: { kind: 'names', unset: 'any' } },
      {
        path: ['state', 'on_conflict'],
        label: 'On conflict',
        hint: 'When a key has changed since the call began.',
        input: {
          kind: 'choice',
          unset: 'overwrite',
          choices: [plain('overwrite', 'overwrite'), plain('reject', 'reject: the call fails')],
        },
      },
      {
        path: ['state', 'conflict_exempt'],
        label: 'Conflict exempt',
        hint: 'Keys that On conflict ignores.',
        input: { kind: 'names', unset: 'none' },
      },
      {
        path: ['artifacts', 'forward'],
        label: 'Forward artifacts',
        hint: 'It saves where its parent does.',
        input: { kind: 'choice', unset: 'yes', choices: yesNo },
      },
      {
        path: ['artifacts', 'write_prefixes'],
        label: 'Write prefixes',
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
        label: 'Skip summarization',
        hint: 'Its result is the parent’s answer.',
        input: { kind: 'choice', unset: 'no', choices: yesNo },
      },
      {
        path: ['failure_mode'],
        label: 'Failure mode',
        input: {
          kind: 'choice',
          unset: 'result',
          choices: [
            plain('result', 'result: the parent reads the error'),
            plain('propagate', 'propagate: the parent fails too'),
          ],
        },
      },
    ],
  },
  {
    title: 'Session',
    fields: [
      {
        path: ['session'],
        label: 'Session',
        input: {
          kind: 'choice',
          unset: 'none',
          choices: [
            plain('none', 'none: each call is new'),
            plain('addressed', 'addressed: the parent names the session'),
            plain('reuse', 'reuse: one, continued'),
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
