import { own } from '@/lib/base/own';
import type { AgentCard, Card, RouterCard } from '@/lib/cards/card';
import { delegationSchemas } from '@/lib/cards/delegation-schemas';
import { delegationOptions } from '@/lib/cards/delegation-settings';
import type { Settings } from '@/lib/cards/settings';

/**
 * Returns the labels on the wire of a delegation: its own options, then the options that the parent sets for all children.
 */
export function delegationMarks(
  parent: AgentCard,
  child: string,
  settings: Settings,
  cards: ReadonlyMap<string, Card>,
): readonly string[] {
  const options = delegationOptions(settings, parent.name, child);
  const marks: string[] = [];
  if (options.tool_name !== undefined) marks.push(`as ${options.tool_name}`);
  const card = cards.get(child);
  const schemas = card && delegationSchemas(settings, parent.name, card, cards);
  if ((options.input_schema ?? schemas?.input) !== undefined) marks.push('schema');
  if ((options.output_schema ?? schemas?.output) !== undefined) marks.push('checked answer');
  const { input_mode: mode = 'text_json' } = options;
  if (mode !== 'schema' && mode !== 'text_json') marks.push(mode);
  if (options.session === 'addressed') marks.push('sessions');
  else if (options.session === 'reuse') marks.push('one session');
  if (options.isolation === 'shared') marks.push('shared');
  else if (typeof options.isolation === 'object') marks.push(`pool of ${options.isolation.pool}`);
  const timeoutMs =
    options.timeout_ms ?? (parent.childTimeoutSec === undefined ? undefined : parent.childTimeoutSec * 1000);
  if (timeoutMs !== undefined) marks.push(`≤ ${shortDuration(timeoutMs)}`);
  if ((options.max_attempts ?? 1) > 1) marks.push(`${options.max_attempts} attempts`);
  if (options.recursive === true) marks.push('recursive');
  if (options.max_depth !== undefined) marks.push(`depth ≤ ${options.max_depth}`);
  if (options.cache === true) marks.push('cached');
  if (options.skip_summarization === true) marks.push('is the answer');
  if (options.failure_mode === 'propagate') marks.push('failure ends parent');
  if (options.state?.isolate === true) marks.push('own state');
  if (options.inherit_run_hooks === false) marks.push('no run hooks');
  if (parent.maxParallel !== undefined) marks.push(`${parent.maxParallel} at once`);
  if (parent.historySource !== undefined && parent.historySource !== 'none') {
    marks.push(`history: ${parent.historySource}`);
  } else if (options.history !== undefined && options.history !== 'none') {
    marks.push(options.history === 'full' ? 'history' : `history: last ${options.history.last}`);
  }
  return marks;
}

/**
 * Returns the filters of one server: tool patterns as written, then resources and prompts. An empty list hides everything.
 */
export function filterMarks(card: AgentCard | RouterCard, server: string): readonly string[] {
  return [
    ...patterns(own(card.tools, server), 'no tools', (pattern) => pattern),
    ...patterns(own(card.resources, server), 'no resources', (pattern) => `resource ${pattern}`),
    ...patterns(own(card.prompts, server), 'no prompts', (pattern) => `prompt ${pattern}`),
  ];
}

function patterns(list: readonly string[] | undefined, none: string, show: (pattern: string) => string): string[] {
  if (list === undefined) return [];
  return list.length === 0 ? [none] : list.map(show);
}

/** Writes a duration such as `800 ms`, `90 s` or `5 min`, in the largest unit without a fraction. */
function shortDuration(ms: number): string {
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms >= 1000 ? `${Math.round(ms / 100) / 10} s` : `${ms} ms`;
}
