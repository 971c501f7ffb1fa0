import { expect, test } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { previewSurface, type ServerListing } from '@/lib/runtime/surface/surface-preview';
import { argumentChoices } from './hook-arguments';

const folder = folderOf({
  'lead.md': '---\nname: lead\nservers: [mail]\nfunction_tools: [tools.py:add]\n---\nLead.\n',
  'tools.py': 'def add(left: int, right: int = 1) -> int:\n    return left + right\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    mail: { url: "https://mail.example.org/mcp" }\n',
});
const schema = {
  type: 'object',
  properties: { to: { type: 'string' }, options: { type: 'object', properties: { limit: { type: 'integer' } } } },
};

function names(when: JsonObject, listed = true): string[] {
  const parsed = readFolder(folder);
  const [card] = parsed.cards;
  if (card?.type !== 'agent') throw new Error('no lead');
  const listings: Readonly<Record<string, ServerListing>> = listed
    ? { mail: { tools: [{ name: 'send', inputSchema: schema }] } }
    : {};
  const { tools } = previewSurface(parsed, folder, card, listings);
  return argumentChoices(tools, folder, card, when).map((choice) => `${choice.name}: ${choice.tools.join(', ')}`);
}

test('names of arguments come from the schemas of listed tools and the code of functions', () => {
  expect(names({})).toEqual([
    'left: add',
    'options: mail__send',
    'options.limit: mail__send',
    'right: add',
    'to: mail__send',
  ]);
  expect(names({}, false)).toEqual(['left: add', 'right: add']);
});

test('a filter leaves the tools that the hook sees', () => {
  expect(names({ tool: 'mail__*' })).toEqual(['options: mail__send', 'options.limit: mail__send', 'to: mail__send']);
  expect(names({ source: ['function', 'agent'] })).toEqual(['left: add', 'right: add']);
  expect(names({ server: 'other' })).toEqual([]);
});
