import { brandAs, type InstancePath } from '@/lib/base/ids';
import { isRecord, type Json } from '@/lib/base/json';
import type { ItemEnd, PendingQuestion } from '@/lib/base/pending';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { Run } from '@/lib/runtime/instance/run';
import { argumentsHashOf } from '@/lib/runtime/people/arguments-hash';
import { askPerson } from '@/lib/runtime/people/ask-person';
import { stepKey } from '@/lib/runtime/record/step-key';

export type BudgetLimit = 'max_tokens' | 'max_cost_usd';

/** What a run may spend, with what people have added. */
interface Raised {
  max_tokens: number;
  max_cost_usd: number;
  /** Set while a person is asked. All model calls of the run wait for the same answer. */
  asking: Promise<boolean> | undefined;
}

const raisedOf = new WeakMap<Run, Raised>();

/** Returns the limit of a run with what people have added to it. `undefined`: there is none. */
export function allowedOf(run: Run, limit: BudgetLimit): number | undefined {
  const set = settingOf(run, limit);
  return set === undefined ? undefined : set + raised(run)[limit];
}

/**
 * Asks a person whether the run may use more, once for all its instances. Resolves to true when the limit was raised. `spent` is
 * what the run has used of it.
 */
export function askForMore(instance: Instance, limit: BudgetLimit, spent: number): Promise<boolean> {
  const known = raised(instance.run);
  known.asking ??= ask(instance, limit, spent).finally(() => {
    known.asking = undefined;
  });
  return known.asking;
}

async function ask(instance: Instance, limit: BudgetLimit, spent: number): Promise<boolean> {
  const { run } = instance;
  const set = settingOf(run, limit);
  const allowed = allowedOf(run, limit);
  if (set === undefined || allowed === undefined) return false;
  const [root = ''] = instance.spec.path.split('/', 1);
  const path = brandAs<InstancePath>(root);
  // The run asks, not the instance that happened to come first: another one may be first when the run is resumed.
  const asker = { ...instance, scope: run.scope, spec: { ...instance.spec, path } };
  const end = await askPerson(asker, stepKey(path, 'b', 1), {
    what: 'budget',
    sentence: `The run has used ${amount(limit, spent)} of its ${amount(limit, allowed)}. May it use more?`,
    arguments: { limit, allowed, spent },
    argumentsHash: hashOf(limit, allowed),
    form: formOf(limit, set),
    why: { rule: `limits.${limit}`, level: 'project' },
  });
  const more = raiseOf(end, set);
  raised(run)[limit] += more;
  return more > 0;
}

/** Reads what people added before, when the run is resumed. */
function raised(run: Run): Raised {
  const known = raisedOf.get(run);
  if (known) return known;
  const read: Raised = { max_tokens: 0, max_cost_usd: 0, asking: undefined };
  for (const limit of ['max_tokens', 'max_cost_usd'] as const) {
    const set = settingOf(run, limit);
    if (set === undefined) continue;
    for (const question of run.journal.questions.values()) {
      const end = isAbout(question, limit) ? run.journal.questionEnd(question.item) : undefined;
      if (end) read[limit] += raiseOf(end, set);
    }
  }
  raisedOf.set(run, read);
  return read;
}

/** Approving adds what the limit was at first, and an answer what it names. */
function raiseOf(end: ItemEnd, set: number): number {
  if (end.outcome !== 'answered') return 0;
  const { decision, content } = end.answer;
  if (decision === 'approve') return set;
  return decision === 'answer' ? numberIn(content) : 0;
}

function numberIn(content: Json | undefined): number {
  const more = isRecord(content) ? content.raise : content;
  return typeof more === 'number' && Number.isFinite(more) && more > 0 ? more : 0;
}

function isAbout({ what, arguments: args }: PendingQuestion, limit: BudgetLimit): boolean {
  return what === 'budget' && isRecord(args) && args.limit === limit;
}

/** What was spent may differ when the run is resumed. The question is the same as long as the limit is. */
function hashOf(limit: BudgetLimit, allowed: number): string {
  return argumentsHashOf({ limit, allowed });
}

function formOf(limit: BudgetLimit, set: number) {
  const title = limit === 'max_tokens' ? 'More tokens' : 'More US dollars';
  return {
    type: 'object',
    properties: { raise: { type: 'number', exclusiveMinimum: 0, title, default: set } },
    required: ['raise'],
    additionalProperties: false,
  };
}

function settingOf({ limits }: Run, limit: BudgetLimit): number | undefined {
  return limit === 'max_tokens' ? limits.maxTokens : limits.maxCostUsd;
}

function amount(limit: BudgetLimit, value: number): string {
  return limit === 'max_tokens' ? `${value} tokens` : `$${Math.round(value * 100) / 100}`;
}
