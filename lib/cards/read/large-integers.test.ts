import { expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { printFlow } from '@/lib/cards/yaml/yaml-print';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';
import { readFixture } from './read-fixture';

const large = 9_007_199_254_740_993n;

it('integers beyond 2^53 keep their digits where a file passes values on, and are numbers in schemas and limits', () => {
  const parsed = readFolder(
    folderOf({
      'agent-cards/lead.md': `---
name: lead
default: true
agents: [kid]
request_params: { max_tokens: ${large}, metadata: { id: ${large} } }
tool_input_schema:
  type: object
  properties: { id: { type: integer, description: The id, maximum: 9223372036854775807, default: ${large} } }
---
x
`,
      'agent-cards/kid.md': '---\nname: kid\n---\ny\n',
      'callboard.yaml': `version: 1
scripts:
  lead: [{ turns: [{ calls: [{ tool: show, arguments: { id: ${large}, list: [-${large}] } }] }] }]
run_hooks:
  - default: { argument: id, value: ${large} }
  - clamp: { argument: id, max: ${large} }
limits: { max_cost_usd: ${large} }
delegations:
  lead: { kid: { input_schema: { type: object, properties: { id: { maximum: ${large} } } } } }
`,
    }),
  );
  const { settings } = parsed;
  const rounded = Number(large);
  expect(parsed.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(settings.scripts.lead?.[0]?.turns[0]?.calls?.[0]?.arguments).toEqual({ id: large, list: [-large] });
  expect(settings.run_hooks).toMatchObject([{ value: large }, { max: large }]);
  expect(settings.limits.max_cost_usd).toBe(rounded);
  expect(settings.delegations.lead?.kid?.input_schema).toEqual({
    type: 'object',
    properties: { id: { maximum: rounded } },
  });
  const lead = parsed.cards.find(({ name }) => name === 'lead');
  expect(lead).toMatchObject({
    requestParams: { max_tokens: rounded, metadata: { id: large } },
    toolInputSchema: { properties: { id: { maximum: 2 ** 63 - 1, default: rounded } } },
  });
});

it('and so in the description of a test', () => {
  const text = `version: 1
message: Go
expect:
  answer: { fields: { id: ${large} }, schema: { maximum: ${large} } }
  calls: [{ tool: show, arguments: { id: ${large} } }]
  limits: { cost_usd: ${large} }
`;
  const { fixture, issues } = readFixture('tests/one.fixture.yaml', text, parseYaml({ text, offset: 0 }));
  expect(issues).toEqual([]);
  expect(fixture?.expect).toEqual({
    answer: { fields: { id: large }, schema: { maximum: Number(large) } },
    calls: [{ tool: 'show', arguments: { id: large } }],
    limits: { cost_usd: Number(large) },
  });
});

it('an edit writes an integer beyond 2^53 with its digits', () => {
  expect(printFlow([2 ** 64, -(2 ** 53)])).toBe('[18446744073709551616, -9007199254740992]');
  expect(printFlow({ id: large, list: [large, 1] })).toBe(`{ id: ${large}, list: [${large}, 1] }`);
});
