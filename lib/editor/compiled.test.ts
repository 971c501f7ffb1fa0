import { expect, test } from 'vitest';
import { compiledJson } from './compiled';
import { textFile } from './document';
import { drawPicture } from './picture';

test('has the entry, every agent with its defaults, servers and edges, as JSON', () => {
  const folder = new Map([
    ['lead.md', textFile('---\nname: lead\ndefault: true\nagents: [writer]\nservers: [time]\n---\nLead.\n')],
    ['writer.md', textFile('---\nname: writer\n---\nWrite.\n')],
    ['fast-agent.yaml', textFile('mcp:\n  servers:\n    time: { command: node }\n')],
  ]);
  const text = compiledJson(drawPicture(folder, undefined));
  expect(text.endsWith('}\n')).toBe(true);
  const compiled: unknown = JSON.parse(text);
  expect(compiled).toMatchObject({
    format: 1,
    entry: 'lead',
    agents: [
      { name: 'lead', type: 'agent', instruction: expect.stringContaining('Lead.') },
      { name: 'writer', file: 'writer.md' },
    ],
    config: { servers: { time: { transport: 'stdio', command: 'node' } } },
    graph: { edges: [{ kind: 'delegation', source: 'agent:lead', target: 'agent:writer' }, { kind: 'uses' }] },
    issues: [{ code: 'config-beside-cards' }, { code: 'server-without-arguments' }],
  });
});
