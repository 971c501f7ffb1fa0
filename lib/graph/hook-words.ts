import type { Json } from '@/lib/base/json';
import type { DeclarativeKind } from '@/lib/cards/hook-settings';
import { type ChainEntry, defaultHookTimeoutMs, type HookOrigin, type HookPhase } from './hook-chain';

/** One plain sentence for each hook without code. */
export const kindWords: Readonly<Record<DeclarativeKind, string>> = {
  block: 'Refuses calls of the tools that match.',
  clamp: 'Keeps a number argument inside a range.',
  rename: 'Gives an argument another name.',
  default: 'Fills in an argument that is absent.',
  redact: 'Hides secrets in arguments or results.',
  truncate: 'Cuts long results.',
  rate_limit: 'Lets only so many calls through in a time.',
  retry: 'Repeats calls that fail.',
  cache: 'Gives equal calls the result of the first.',
  log: 'Writes an event for each call.',
};

/** When the hook of a phase runs. */
export const phaseWords: Readonly<Record<HookPhase, string>> = {
  around: 'Around every tool call',
  on_start: 'When an instance starts',
  before_llm_call: 'Before each call of the model',
  after_llm_call: 'After each call of the model',
  before_tool_call: 'Before a batch of tool calls',
  after_tool_call: 'After a batch of tool calls',
  after_turn_complete: 'At the end of the turn',
  on_shutdown: 'When an instance ends',
};

export const originWords: Readonly<Record<HookOrigin, string>> = {
  run: 'run hook',
  'agent settings': 'agent_hooks',
  card: 'card',
};

/** Returns parameters with which a new hook is valid and does little until they are changed. */
export function startingParameters(kind: DeclarativeKind): Json {
  switch (kind) {
    case 'block':
      return { when: { tool: '*delete*' } };
    case 'clamp':
      return { argument: 'x', max: 100 };
    case 'rename':
      return { from: 'old_name', to: 'new_name' };
    case 'default':
      return { argument: 'x', value: '' };
    case 'redact':
      return { keys: ['password'] };
    case 'truncate':
      return { max_chars: 10_000 };
    case 'rate_limit':
      return { calls: 10, per_ms: 60_000 };
    case 'retry':
    case 'cache':
    case 'log':
      return {};
  }
}

/** What it means that a hook is switched off. */
export const offWords = 'Switched off: it stays in the file, and every run skips it.';

/** Says in plain words what an entry does, in sentences that end with a full stop. */
export function effectOf(entry: ChainEntry): string {
  if (entry.off) return offWords;
  if (entry.kind !== 'code') return `${kindWords[entry.kind]} ${failWords(entry)}`;
  if (entry.missing) return `No file defines '${entry.functionName}', so a run cannot start.`;
  const does =
    entry.phase === 'around'
      ? 'Sees the arguments of each call and its result. It may change both, answer itself or refuse.'
      : `${phaseWords[entry.phase]}, '${entry.functionName}' is called.`;
  return `${does} ${failWords(entry)}`;
}

function failWords({ kind, policy, phase }: ChainEntry): string {
  if (kind !== 'code') return 'If the hook fails, the call is refused.';
  const seconds = (policy.timeout_ms ?? defaultHookTimeoutMs) / 1000;
  const failure = `If it raises or takes more than ${seconds} s,`;
  if (policy.on_error === 'skip') return `${failure} it is skipped.`;
  switch (phase) {
    case 'around':
      return `${failure} the call fails.`;
    case 'on_start':
      return `${failure} the instance ends.`;
    case 'after_tool_call':
    case 'on_shutdown':
      return `${failure} that is logged and ignored.`;
    default:
      return `${failure} the turn fails.`;
  }
}
