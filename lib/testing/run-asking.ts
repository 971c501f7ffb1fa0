import { expect } from 'vitest';
import type { Approvals } from '@/lib/cards/approval-settings';
import type { Settings } from '@/lib/cards/settings';
import { textOf } from '@/lib/runtime/record/messages';
import { type FakePerson, fakePeople } from './fake-people';
import { type FakeTool, fakeTools } from './fake-tools';
import { type GraphOptions, graphOf } from './graph-of';
import { runGraph, type TestRunInput } from './run-graph';
import { scriptedModel, type TestScript, type TestTurn } from './scripted-model';

/** A call of the tool that mails, with other arguments beside `to`. */
export const mail = (to: string, more: Record<string, unknown> = {}) => ({
  tool: 'mail__send',
  arguments: { to, ...more },
});
/** Every mail waits for a person. */
export const askMail: Approvals = { rules: [{ tools: ['mail__*'], effect: 'ask' }] };

export interface Asking {
  readonly approvals?: Approvals;
  readonly person?: FakePerson;
  readonly turns?: readonly (string | TestTurn)[];
  readonly scripts?: Readonly<Record<string, TestScript>>;
  readonly graph?: string;
  readonly options?: GraphOptions;
  readonly settings?: Partial<Settings>;
  readonly tools?: Readonly<Record<string, FakeTool>>;
  readonly more?: Partial<TestRunInput>;
}

/** Runs `lead`, which sends mails, with people who answer as `person` does. Everybody approves by default. */
export async function runAsking(given: Asking) {
  const people = fakePeople(given.person ?? (() => ({})));
  const tools = fakeTools(given.tools ?? { mail__send: ({ to }) => `sent to ${JSON.stringify(to)}` });
  const model = scriptedModel(given.scripts ?? { lead: given.turns ?? [{ calls: [mail('ann')] }, 'done'] });
  const settings = { approvals: given.approvals ?? askMail, ...given.settings };
  const { outcome, sink, log } = await runGraph({
    parsed: graphOf(given.graph ?? 'lead', { ...given.options, settings }),
    model,
    tools: { mcp: tools },
    people,
    onSink: people.watch,
    ...given.more,
  });
  expect(model.unexpected).toEqual([]);
  const results = sink.of('tool.ended').map(({ result }) => [result.errorCode ?? 'ok', textOf(result.content)]);
  return {
    outcome,
    sink,
    log,
    model,
    tools,
    results,
    asked: people.asked,
    sentences: people.asked.map((one) => one.sentence),
  };
}
