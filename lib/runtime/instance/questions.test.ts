import { describe, expect, it } from 'vitest';
import { brandAs, type InstancePath, type RunId, type StepKey } from '@/lib/base/ids';
import type { ItemEnd } from '@/lib/base/pending';
import { pendingId } from '@/lib/base/pending-id';
import type { RunEvent } from '@/lib/runtime/record/events';
import { readQuestions } from '@/lib/runtime/record/recorded-questions';
import { collectEvents } from '@/lib/testing/collect-events';
import { fakeClock } from '@/lib/testing/fake-clock';
import { type Question, Questions } from './questions';

const runId = brandAs<RunId>('run');
const path = brandAs<InstancePath>('lead');
const step = brandAs<StepKey>('lead#t7');
const mail: Question = { what: 'approval', sentence: 'Send the mail?', argumentsHash: 'one' };
const approved: ItemEnd = { outcome: 'answered', answer: { decision: 'approve', by: 'ann', via: 'web' } };

/** Questions of an execution that begins with a log, and all events so far. */
function questionsOf(log: readonly RunEvent[] = []) {
  const sink = collectEvents(fakeClock(), log.length);
  const questions = new Questions(runId, sink, readQuestions(log));
  return { questions, log: () => [...log, ...sink.events], added: () => sink.events };
}

describe('questions of a run', () => {
  it('are recorded once, with an id that is the same in every execution', () => {
    const first = questionsOf();
    expect(first.questions.ask(path, step, mail)).toEqual({ item: pendingId(runId, step, 1) });
    expect(first.questions.ask(path, step, mail)).toEqual({ item: pendingId(runId, step, 2) });
    const second = questionsOf(first.log());
    expect(second.questions.ask(path, step, mail)).toEqual({ item: pendingId(runId, step, 1), wasAsked: true });
    expect(second.questions.openCount).toBe(2);
    expect(second.added()).toEqual([]);
  });

  it('keep the end that was recorded', () => {
    const first = questionsOf();
    const { item } = first.questions.ask(path, step, mail);
    first.questions.end(item, approved);
    first.questions.end(item, { outcome: 'withdrawn' });
    const second = questionsOf(first.log());
    expect(second.questions.ask(path, step, mail)).toEqual({ item, end: approved, wasAsked: true });
    expect(second.questions.openCount).toBe(0);
    expect(first.added().map(({ kind }) => kind)).toEqual(['person.asked', 'person.answered']);
  });

  it('are asked anew when the arguments or the tool have changed, answered or not', () => {
    for (const end of [undefined, approved]) {
      const first = questionsOf();
      const { item } = first.questions.ask(path, step, mail);
      if (end) first.questions.end(item, end);
      const second = questionsOf(first.log());
      const asked = second.questions.ask(path, step, { ...mail, argumentsHash: 'two' });
      expect(asked).toEqual({ item: pendingId(runId, step, 2) });
      const third = questionsOf(second.log());
      expect(third.questions.ask(path, step, { ...mail, argumentsHash: 'two' })).toEqual({ ...asked, wasAsked: true });
      expect(third.questions.openCount).toBe(1);
      expect(third.added()).toEqual([]);
    }
  });

  it('are withdrawn with the call or the instance that asked', () => {
    const { questions, added } = questionsOf();
    questions.ask(path, step, mail);
    questions.ask(path, brandAs('lead#t7.r2'), mail);
    questions.ask(path, brandAs('lead#t8'), mail);
    questions.ask(brandAs('lead/kid[1]'), brandAs('lead/kid[1]#t7'), mail);
    questions.withdrawCall(step);
    expect(questions.openCount).toBe(2);
    questions.withdrawInstance(path);
    expect(questions.openCount).toBe(1);
    questions.withdrawAll();
    const ended = added().flatMap((event) => (event.kind === 'person.answered' ? [[event.step, event.outcome]] : []));
    expect(ended).toEqual([
      ['lead#t7', 'withdrawn'],
      ['lead#t7.r2', 'withdrawn'],
      ['lead#t8', 'withdrawn'],
      ['lead/kid[1]#t7', 'withdrawn'],
    ]);
  });

  it('tell which calls waited and which were in flight when the log ended', () => {
    const started = (name: string): RunEvent => ({
      seq: 1,
      at: brandAs(0),
      kind: 'tool.started',
      path,
      step: brandAs(name),
      attempt: 1,
      callId: brandAs('c'),
      toolName: 'mail',
      source: 'mcp',
      arguments: {},
      correlationId: brandAs('c0'),
    });
    const { questions, log } = questionsOf([started('lead#t7'), started('lead#t8')]);
    questions.ask(path, brandAs('lead#t7.r2'), mail);
    const waits = (events: readonly RunEvent[]) => {
      const read = readQuestions(events);
      return [read.isWaiting(step), read.isWaiting(brandAs('lead#t8')), read.activeMs(path)];
    };
    expect(waits(log())).toEqual([true, false, 0]);
    const suspended: RunEvent = {
      seq: 9,
      at: brandAs(0),
      kind: 'run.suspended',
      open: 1,
      activeMs: { [path]: 40 } as Record<InstancePath, number>,
    };
    const resumed: RunEvent = { seq: 10, at: brandAs(0), kind: 'run.resumed', worker: 'w' };
    expect(waits([...log(), suspended])).toEqual([true, true, 40]);
    expect(waits([...log(), suspended, resumed])).toEqual([true, false, 40]);
  });
});
