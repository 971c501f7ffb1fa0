import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import type { PolicyDemand } from '@/lib/cards/policy/rule';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { ServerListing } from '@/lib/runtime/surface/surface-preview';
import { callBreaches } from './call-breaches';

const files = (tools: string) => ({
  'lead.md': `---\nname: lead\nmodel: passthrough\nservers: [mail]\n${tools}---\nLead.\n`,
  'fast-agent.yaml': 'mcp:\n  servers:\n    mail: { url: "https://mail.example.org/mcp" }\n',
});

function broken(tools: string, demand: Partial<PolicyDemand> = {}, listings?: Record<string, ServerListing>) {
  const folder = folderOf(files(tools));
  const whole = { kind: 'hook', tools: ['mail__*'], hook: 'guard.ts:guard', place: 'any', ...demand } as PolicyDemand;
  const rule = { id: 'r', name: 'Guarded', level: 'block', demand: whole } as const;
  return callBreaches([rule], folder, readFolder(folder), listings).map(({ message }) => message);
}

const sentence =
  "The rule 'Guarded' of your team is broken in agent 'lead': a call of 'mail__send' does not go through the hook guard.ts:guard.";

test('F-17 tools that a card names count before their server has listed any, and patterns do not', () => {
  expect(broken('tools: { mail: [send] }\n')).toEqual([sentence]);
  expect(broken('tools: { mail: [s*] }\n')).toEqual([]);
  expect(broken('')).toEqual([]);
});

test('F-17 what a server listed counts in place of the names in the card', () => {
  const listed = { mail: { tools: [{ name: 'send', inputSchema: {} }] } };
  expect(broken('', {}, listed)).toEqual([sentence]);
  expect(broken('tools: { mail: [gone] }\n', {}, listed)).toEqual([]);
});

test('F-17 whether a tool of a server writes is left to the run, which knows what the server declares', () => {
  expect(broken('tools: { mail: [send] }\n', { writes: true })).toEqual([]);
});
