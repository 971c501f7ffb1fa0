import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentCard } from '@/lib/cards/card';
import type { Settings } from '@/lib/cards/settings';
import { textOf } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { chainOf } from '@/lib/testing/fake-hooks';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestCall, type TestScript } from '@/lib/testing/scripted-model';

/** What only a person can do: a model has no cards, files of settings, variables or operators. */
const forPeople =
  /\b(?:cards?|edit|operator|administrator|front matter|limits\.\w+|request_params|write_keys|CALLBOARD_\w+|OPENAI_\w+|API key)\b|\.ya?ml\b|\b[Ss]et '|\bRaise '|\bCorrect the schema\b|\bPut an agent\b/;

describe('what a model reads never asks it to do what only a person can', () => {
  it('in no sentence of a result in the source', () => {
    const sentences = ['runtime', 'tools', 'sandbox'].flatMap((folder) => sentencesIn(join('lib', folder)));
    expect(sentences.length).toBeGreaterThan(40);
    expect(sentences.filter((sentence) => forPeople.test(sentence))).toEqual([]);
  });

  interface Case {
    readonly graph?: string;
    readonly call?: TestCall;
    readonly scripts?: Readonly<Record<string, TestScript>>;
    readonly settings?: Partial<Settings>;
    readonly cards?: Readonly<Record<string, Partial<AgentCard>>>;
    /** What a person reads of it. */
    readonly told: RegExp;
  }

  const failing = (code: string, message: string): TestScript => ({ error: { code, message } });
  const broken = { type: 'object', properties: { a: { type: 'strnig' } } };
  const cases: Record<string, Case> = {
    'too deep': { settings: { limits: { max_depth: 0 } }, told: /Raise 'limits\.max_depth'/ },
    'too many model calls': {
      settings: { limits: { max_iterations: 2 } },
      scripts: { kid: () => ({ calls: [{ tool: 'nothing' }] }) },
      told: /Raise 'limits\.max_iterations' in callboard\.yaml/,
    },
    'no key': {
      scripts: { kid: failing('model_auth', 'api.x refused the API key. Set X_API_KEY and start again.') },
      told: /Set X_API_KEY/,
    },
    'no such model': {
      scripts: { kid: failing('model_not_found', 'Check OPENAI_BASE_URL.') },
      told: /OPENAI_BASE_URL/,
    },
    'a model nobody serves': {
      scripts: { kid: failing('model_not_served', "Set 'model' in the card.") },
      told: /Set 'model' in the card/,
    },
    'hooks that cannot run': { cards: { kid: chainOf('guard') }, told: /Remove them from agent-cards\/kid\.md/ },
    'a schema that cannot be used': {
      settings: { delegations: { lead: { kid: { input_schema: broken } } } },
      told: /Correct the schema\./,
    },
    'a state key that may not be written': {
      settings: { runtime_tools: { state: true }, delegations: { lead: { kid: { state: { write_keys: [] } } } } },
      scripts: { kid: [{ calls: [{ tool: 'set_state', arguments: { key: 'k', value: 1 } }] }, 'done'] },
      told: /Add it to 'write_keys' of the delegation/,
    },
    'an artifact that is too large': {
      call: { tool: 'save_artifact', arguments: { name: 'a', content: 'four' } },
      settings: { runtime_tools: { artifacts: true }, limits: { max_artifact_bytes: 3 } },
      told: /Raise 'limits\.max_artifact_bytes'/,
    },
  };

  for (const [name, { call, scripts, settings, cards, told }] of Object.entries(cases)) {
    it(name, async () => {
      const clock = fakeClock();
      const calls = [call ?? { tool: 'agent__kid', arguments: { text: 'go' } }];
      const model = scriptedModel({ kid: 'kid', ...scripts, lead: [{ calls }, 'end'] }, clock);
      const parsed = graphOf('lead > kid', { settings: settings ?? {}, cards: cards ?? {} });
      const { sink, outcome } = await runGraph({ parsed, model, clock, tools: { mcp: fakeTools({}) } });
      expect(outcome.answer).toBe('end');
      const results = sink.of('tool.ended').filter(({ path }) => path === 'lead');
      expect(results.map(({ result }) => result.isError)).toEqual([true]);
      for (const { result } of results) expect(textOf(result.content)).not.toMatch(forPeople);
      const record = JSON.stringify(sink.events.filter(({ kind }) => kind !== 'tool.ended'));
      expect(record).toMatch(told);
    });
  }
});

/** The texts in calls of functions that make what a model reads. */
function sentencesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => {
      const source = readFileSync(join(folder, name), 'utf8');
      return [...source.matchAll(/\b(?:errorResult|refuseCall)\(/g)].map(({ index = 0 }) => callAt(source, index));
    });
}

function callAt(source: string, begin: number): string {
  let open = 0;
  for (let at = source.indexOf('(', begin); at < source.length; at++) {
    if (source[at] === '(') open += 1;
    if (source[at] === ')') open -= 1;
    if (open === 0) return source.slice(begin, at);
  }
  return source.slice(begin);
}
