import { describe, expect, it } from 'vitest';
import type { Settings } from '@/lib/cards/settings';
import { childToolName } from '@/lib/cards/tool-name';
import type { RunEvent } from '@/lib/runtime/record/events';
import { fakeClock } from '@/lib/testing/fake-clock';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { memorySessions } from '@/lib/testing/memory-sessions';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestScript } from '@/lib/testing/scripted-model';

const long = 'x'.repeat(90);
const odd = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'a.b',
  'Zoë_東京_🗼',
  long,
  `${long}y`,
  'a/b',
  '#t1',
];

/** Options that keep something by a child's name. */
const kinds: Record<string, NonNullable<Settings['delegation_defaults']>> = {
  plain: {},
  session: { session: 'reuse' },
  shared: { isolation: 'shared' },
  pool: { isolation: { pool: 1 } },
  cache: { cache: true },
};

function graph(options: Settings['delegation_defaults']) {
  const names = odd.map((name) => name.replaceAll(',', ''));
  const parsed = graphOf(`lead > ${names.join(', ')}; ${names.map((name) => `${name} >`).join('; ')}`, {
    settings: {
      delegation_defaults: options,
      delegations: Object.fromEntries([
        ['lead', Object.fromEntries(names.map((name) => [name, { timeout_ms: 9_000 }]))],
      ]),
      runtime_tools: { state: true },
    },
  });
  const calls = names.flatMap((name) => {
    const call = { tool: childToolName(name, 'agent__'), arguments: { text: `go ${name}` } };
    return [call, call];
  });
  const scripts: Record<string, TestScript> = Object.fromEntries([
    [
      'lead',
      [{ calls }, { calls: [{ tool: 'valueOf' }, { tool: '__lookupGetter__' }, { tool: 'box__toString' }] }, 'end'],
    ],
    ...names.map((name): [string, TestScript] => [
      name,
      [{ calls: [{ tool: 'set_state', arguments: { key: name, value: 1 } }] }, { text: `${name} says`, delayMs: 5 }],
    ]),
  ]);
  return { parsed, scripts, names };
}

async function run(options: Settings['delegation_defaults'], log: readonly RunEvent[] = []) {
  const { parsed, scripts } = graph(options);
  const clock = fakeClock();
  const mcp = fakeTools({ box__toString: () => 'a tool', 'box__x.y': () => 'dot' });
  const model = scriptedModel(scripts, clock);
  return runGraph({ parsed, model, clock, log, tools: { mcp }, sessions: memorySessions() });
}

function answersOf(log: readonly RunEvent[]): Record<string, string> {
  return Object.fromEntries(
    log.flatMap((event) => (event.kind === 'instance.ended' ? [[event.path, event.answer ?? event.status]] : [])),
  );
}

describe('agents and tools with odd names', () => {
  it('have tool names of their own, which every provider takes', () => {
    const tools = odd.map((name) => childToolName(name, 'agent__'));
    expect(new Set(tools).size).toBe(odd.length);
    for (const tool of tools) expect(tool).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  for (const [kind, options] of Object.entries(kinds)) {
    it(`answer each for itself, and go on from a log cut anywhere (${kind})`, async () => {
      const whole = await run(options);
      expect(whole.outcome).toMatchObject({ status: 'completed', answer: 'end' });
      const answers = answersOf(whole.log);
      for (const name of odd) {
        const path = `lead/${name.replaceAll('/', '%2F')}[1]`;
        expect(answers[path]).toBe(`${name} says`);
      }
      const last = whole.sink
        .of('tool.ended')
        .slice(-3)
        .map(({ result }) => result.errorCode ?? 'fine');
      expect(last).toEqual(['UNKNOWN_TOOL', 'UNKNOWN_TOOL', 'fine']);
      for (let length = 1; length < whole.log.length; length += 17) {
        const second = await run(options, whole.log.slice(0, length));
        expect(second.outcome).toEqual(whole.outcome);
        expect(answersOf(second.log)).toEqual(answers);
      }
    });
  }

  it('may be where a run begins', async () => {
    for (const agent of odd) {
      const parsed = graphOf(agent);
      const model = scriptedModel(Object.fromEntries([[agent, 'hello']]));
      const { outcome, log } = await runGraph({ parsed, model, request: { agent } });
      expect([agent, outcome.answer]).toEqual([agent, 'hello']);
      expect((await runGraph({ parsed, model, request: { agent }, log: log.slice(0, -1) })).outcome).toEqual(outcome);
    }
  });
});
