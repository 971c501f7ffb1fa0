import { brandAs, type InstancePath, type PendingId, type RunId, type StepKey } from '@/lib/base/ids';
import { actionsOf } from '@/stage/memory/actions-of';
import { recordRun } from '@/stage/memory/record-run';
import { runServices } from '@/stage/memory/run-services';
import { memoryQuestions, question } from './inbox';

const files = {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\n---\nDo your part.\n',
  'callboard.yaml': 'version: 1\nscripts:\n  lead: [{ turns: [{ text: All is done., delay_ms: 60000 }] }]\n',
};

/** A project whose run asks a person about a call with two hundred lines. */
export async function askingRun() {
  const run = await recordRun('run-1', { files, message: 'Go', passed: 1_000 });
  const at = { item: brandAs<PendingId>('q1'), path: brandAs<InstancePath>('lead'), step: brandAs<StepKey>('lead#1') };
  const letter = Array.from({ length: 200 }, (_, line) => `Line ${line + 1} of the letter.`).join('\n');
  const asked = question(1, 'ann');
  const long = { ...asked.question, ...at, arguments: { to: 'ann', text: letter } };
  const last = run.events.at(-1);
  const event = { seq: (last?.seq ?? 0) + 1, at: last?.at ?? run.clock.now(), kind: 'person.asked' as const, ...long };
  const asking = { ...run, events: [...run.events, event] };
  const actions = actionsOf<typeof import('@/app/p/[project]/actions')>('p/[project]/actions', {
    start: () => brandAs<RunId>(run.id),
  });
  const item = { ...asked, run: run.id, path: at.path, step: at.step, question: long };
  return { files, answers: { ...runServices(asking), ...actions, ...memoryQuestions([item]) } };
}
