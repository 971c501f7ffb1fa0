import { describe, expect, it } from 'vitest';
import type { AgentCard, ToolHookPhase } from '@/lib/cards/card';
import type { Settings } from '@/lib/cards/settings';
import type { RunEvent } from '@/lib/runtime/record/events';
import { type Message, textOf } from '@/lib/runtime/record/messages';
import { fakeHooks, hookRef } from '@/lib/testing/fake-hooks';
import { fakePeople } from '@/lib/testing/fake-people';
import { type FakeTool, fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestCall, type TestScript } from '@/lib/testing/scripted-model';

/** What a hook adds for the model is there also where the tool gives no good result: a reminder matters most then. */

const rule = 'Ask before you book twice.';
const failed =
  (errorCode: 'TOOL_FAILED' | 'TOOL_TIMEOUT' | 'SERVER_UNAVAILABLE'): FakeTool =>
  () => ({
    content: [{ type: 'text', text: 'The calendar is locked.' }],
    isError: true,
    errorCode,
  });
const book: TestCall = { tool: 'box__book', id: 'b' };

interface Scene {
  readonly phase?: ToolHookPhase;
  readonly calls?: readonly TestCall[];
  readonly book?: FakeTool;
  readonly kid?: TestScript;
  readonly settings?: Partial<Settings>;
  readonly log?: readonly RunEvent[];
  /** The agent with the hook is a child in place of the root. */
  readonly below?: boolean;
}

async function play({
  phase = 'before_tool_call',
  calls = [book],
  kid = 'kid says',
  settings,
  log = [],
  ...scene
}: Scene) {
  const append = { appendMessages: [{ role: 'user', content: [{ type: 'text', text: rule }] }] };
  const hooks = fakeHooks({ remind: { phase: () => append } });
  const tools = { mcp: fakeTools({ box__book: scene.book ?? failed('TOOL_FAILED'), box__see: () => 'seen' }) };
  const hooked: Partial<AgentCard> = { toolHooks: { form: 'phases', phases: { [phase]: hookRef('remind') } } };
  const parsed = graphOf('top > lead; lead > kid', { cards: { lead: hooked }, ...(settings && { settings }) });
  const model = scriptedModel({ top: [{ calls: [{ tool: 'agent__lead' }] }, 'end'], lead: [{ calls }, 'end'], kid });
  const people = fakePeople(() => ({ decision: 'deny', note: 'Not today.' }), [], log);
  const run = await runGraph({
    parsed,
    model,
    hooks,
    tools,
    people,
    onSink: people.watch,
    log,
    request: { agent: scene.below === true ? 'top' : 'lead' },
  });
  return {
    ...run,
    told: model.requests
      .filter(({ agentName }) => agentName === 'lead')
      .at(-1)
      ?.messages.slice(-2),
  };
}

const wordsOf = (message: Message | undefined) =>
  message?.role === 'tool'
    ? message.results.map(({ callId, result }) => `${callId}: ${result.errorCode ?? textOf(result.content)}`)
    : textOf(message?.content ?? []);

describe.each<ToolHookPhase>(['before_tool_call', 'after_tool_call'])('what %s adds is behind the results', (phase) => {
  it.each<[string, Omit<Scene, 'phase'>, readonly string[]]>([
    ['of a tool that works', { calls: [{ tool: 'box__see', id: 's' }] }, ['s: seen']],
    ['of a tool that fails', {}, ['b: TOOL_FAILED']],
    ['of a tool that takes too long', { book: failed('TOOL_TIMEOUT') }, ['b: TOOL_TIMEOUT']],
    ['of a server that is gone', { book: failed('SERVER_UNAVAILABLE') }, ['b: SERVER_UNAVAILABLE']],
    ['of a call that a person denied', { settings: { approvals: { default: 'ask' } } }, ['b: APPROVAL_DENIED']],
    ['of a tool that is not there', { calls: [{ tool: 'nowhere', id: 'n' }] }, ['n: UNKNOWN_TOOL']],
    ['of arguments that are none', { calls: [{ ...book, arguments: '[1]' }] }, ['b: INPUT_VALIDATION']],
    [
      'of a good call and one that fails',
      { calls: [{ tool: 'box__see', id: 's' }, book] },
      ['s: seen', 'b: TOOL_FAILED'],
    ],
    [
      'of a child that fails',
      { calls: [{ tool: 'agent__kid', id: 'k' }], kid: { error: { code: 'model_failed', message: 'No.' } } },
      ['k: AGENT_FAILED'],
    ],
    ['of a tool of a child', { below: true }, ['b: TOOL_FAILED']],
  ])('%s', async (_, scene, results) => {
    const { told, log } = await play({ ...scene, phase });
    expect(told?.map(wordsOf)).toEqual([results, rule]);
    // Also after a restart at any moment between the tool and the next request.
    const asked = log.findLastIndex(({ kind }) => kind === 'model.started');
    const tool = log.findIndex(({ kind }) => kind === 'tool.ended');
    for (let length = tool + 1; length <= asked && scene.below !== true; length += 1) {
      const again = await play({ ...scene, phase, log: log.slice(0, length) });
      expect(again.told?.map(wordsOf), `cut at ${length}`).toEqual([results, rule]);
    }
  });
});
