import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@/lib/base/json';
import { textOf } from '@/lib/runtime/record/messages';
import { chainOf, fakeHooks, hookRef } from '@/lib/testing/fake-hooks';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const noObject = ['"text"', '[1]', '7', 'true', '{"cut', 'no JSON'];
const tools = ['box__echo', 'agent__kid', 'box__nowhere'];

async function run(argumentsText: string, tool: string, repaired = false) {
  const given: JsonObject[] = [];
  const hooks = fakeHooks({
    see: {
      around: (_, args, next) => {
        given.push(args);
        return next(args);
      },
    },
  });
  const echoed: JsonObject[] = [];
  const mcp = fakeTools({
    box__echo(args) {
      echoed.push(args);
      return 'echo';
    },
  });
  const model = scriptedModel({
    lead: [
      { calls: [{ tool, arguments: argumentsText }] },
      ...(repaired ? [{ calls: [{ tool, arguments: { text: 'as an object' } }] }] : []),
      'end',
    ],
    kid: 'kid says',
  });
  const settings = { run_hooks: [{ kind: 'log' as const, level: 'info' as const, arguments: true, result: false }] };
  const parsed = graphOf('lead > kid', { cards: { lead: chainOf('see') }, settings });
  const done = await runGraph({ parsed, model, hooks, tools: { mcp } });
  const results = done.sink.of('tool.ended').map(({ result }) => [result.errorCode ?? 'fine', textOf(result.content)]);
  return { ...done, given, echoed, results, model };
}

describe('arguments that are no JSON object', () => {
  for (const tool of tools) {
    it.each(noObject)(`${tool} with %s is refused before any hook, and recorded`, async (text) => {
      const { given, echoed, results, sink, outcome } = await run(text, tool);
      expect(outcome.answer).toBe('end');
      expect([given, echoed]).toEqual([[], []]);
      expect(results).toHaveLength(1);
      expect(results[0]?.[0]).toBe(tool === 'box__nowhere' ? 'UNKNOWN_TOOL' : 'INPUT_VALIDATION');
      expect(sink.of('tool.started')[0]?.arguments).toBe(text);
      expect(sink.of('hook.started')).toEqual([]);
      expect(sink.of('log').map(({ code }) => code)).not.toContain('hook_log');
      expect(sink.of('instance.started').map(({ path }) => path)).toEqual(['lead']);
    });
  }

  it('are told to the model in words it can act on; asked again, the call goes through every hook', async () => {
    const { given, echoed, results, sink } = await run('[1]', 'box__echo', true);
    expect(results).toEqual([
      [
        'INPUT_VALIDATION',
        "Error: The arguments of 'box__echo' are not a JSON object. Send one that fits the tool's parameters.",
      ],
      ['fine', 'echo'],
    ]);
    expect(given).toEqual([{ text: 'as an object' }]);
    expect(echoed).toEqual([{ text: 'as an object' }]);
    expect(sink.of('hook.started').map(({ hook }) => hook)).toEqual(['log', 'hooks.py:see']);
  });

  it.each(['box__echo', 'agent__kid'])(
    '%s with a number beyond the range of doubles is refused with a sentence that names it',
    async (tool) => {
      const { results, echoed } = await run('{"text":"1e500","amount":[-1e400]}', tool);
      expect(results).toEqual([
        [
          'INPUT_VALIDATION',
          `Error: The arguments of '${tool}' hold the number -1e400, which is beyond the range of numbers here (about 1.8e308). Send it as text.`,
        ],
      ]);
      expect(echoed).toEqual([]);
    },
  );

  it.each(['', '  ', 'null', '{}'])('%j is an empty object, as providers mean it', async (text) => {
    const { given, results } = await run(text, 'box__echo');
    expect(given).toEqual([{}]);
    expect(results).toEqual([['fine', 'echo']]);
  });

  it('may be put right by before_tool_call', async () => {
    const hooks = fakeHooks({
      repair: {
        phase: ({ message }) => {
          const { toolCalls = [], ...rest } = message as { toolCalls?: { id: string; name: string }[] };
          const calls = toolCalls.map(({ id, name }): Json => ({ id, name, argumentsText: '{"text":"put right"}' }));
          return { message: { ...rest, toolCalls: calls } };
        },
      },
    });
    const model = scriptedModel({ lead: [{ calls: [{ tool: 'box__echo', arguments: '{"cut' }] }, 'end'] });
    const echoed: JsonObject[] = [];
    const mcp = fakeTools({
      box__echo(args) {
        echoed.push(args);
        return 'echo';
      },
    });
    const toolHooks = { form: 'phases' as const, phases: { before_tool_call: hookRef('repair') } };
    const parsed = graphOf('lead', { cards: { lead: { toolHooks } } });
    await runGraph({ parsed, model, hooks, tools: { mcp } });
    expect(echoed).toEqual([{ text: 'put right' }]);
  });
});
