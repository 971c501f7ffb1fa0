import { expect, test } from 'vitest';
import type { ProbedTool } from '@/lib/base/probe-report';
import { folderOf } from '@/lib/cards/files';
import type { PolicyDemand } from '@/lib/cards/policy/rule';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { ServerListing } from '@/lib/runtime/surface/surface-preview';
import { callBreaches } from './call-breaches';

const files = (tools: string) => ({
  'lead.md': `---\nname: lead\nmodel: passthrough\nservers: [mail]\n${tools}---\nLead.\n`,
  'fast-agent.yaml': 'mcp:\n  servers:\n    mail: { url: "https://mail.example.org/mcp" }\n',
});

function broken(
  tools: string,
  demand: Partial<PolicyDemand> = {},
  listings: Record<string, ServerListing> = {},
  unknown: 'may write' | 'is left to the call' = 'may write',
) {
  const folder = folderOf(files(tools));
  const whole = { kind: 'hook', tools: ['mail__*'], hook: 'guard.ts:guard', place: 'any', ...demand } as PolicyDemand;
  const rule = { id: 'r', name: 'Guarded', level: 'block', demand: whole } as const;
  return callBreaches([rule], folder, readFolder(folder), { listings, unknown }).map(({ message }) => message);
}

const sentence =
  "The rule 'Guarded' of your team is broken in agent 'lead': a call of 'mail__send' does not go through the hook guard.ts:guard.";

test('tools that a card names count before their server has listed any, and patterns do not', () => {
  expect(broken('tools: { mail: [send] }\n')).toEqual([sentence]);
  expect(broken('tools: { mail: [s*] }\n')).toEqual([]);
  expect(broken('')).toEqual([]);
});

test('tools that a server lists count in place of the names in the card', () => {
  const listed = { mail: { tools: [{ name: 'send', inputSchema: {} }] } };
  expect(broken('', {}, listed)).toEqual([sentence]);
  expect(broken('tools: { mail: [gone] }\n', {}, listed)).toEqual([]);
});

test('a hook that is switched off is missing, and the rule names the switch', () => {
  const folder = folderOf({
    ...files('tools: { mail: [send] }\ntool_hooks: [guard.ts:guard]\n'),
    'callboard.yaml': 'version: 1\nhooks_off: { lead: { tool_hooks: ["guard.ts:guard"] } }\n',
  });
  const demand: PolicyDemand = { kind: 'hook', tools: ['mail__*'], hook: 'guard.ts:guard', place: 'any' };
  const rule = { id: 'r', name: 'Guarded', level: 'block', demand } as const;
  const found = callBreaches([rule], folder, readFolder(folder), { listings: {}, unknown: 'may write' });
  expect(found.map(({ message }) => message)).toEqual([`${sentence} The hook is switched off: switch it on.`]);
});

const mail = (...tools: readonly Partial<ProbedTool>[]) => ({
  mail: { tools: tools.map((tool) => ({ name: 'send', inputSchema: {}, ...tool })) },
});

test('a rule about tools that write counts for listed tools, unless they declare that they only read', () => {
  const writes = { writes: true };
  expect(broken('', writes, mail({ readOnly: false }))).toEqual([sentence]);
  expect(broken('', writes, mail({ readOnly: true }))).toEqual([]);
  expect(broken('', {}, mail({ readOnly: true }))).toEqual([sentence]);
  const more = mail({ name: 'read', readOnly: true }, { name: 'look' }, { readOnly: false });
  expect(broken('', writes, more)).toEqual([sentence]);
  expect(broken('tool_hooks: [guard.ts:guard]\n', writes, more)).toEqual([]);
});

test('a tool counts as one that may write if nobody knows whether it only reads, or is left to its call', () => {
  const writes = { writes: true };
  const untested = `${sentence} Nobody knows whether it only reads: test the server 'mail'.`;
  for (const [tools, listings] of [
    ['', mail({})],
    ['tools: { mail: [send] }\n', {}],
  ] as const) {
    expect(broken(tools, writes, listings)).toEqual([untested]);
    expect(broken(tools, writes, listings, 'is left to the call')).toEqual([]);
    expect(broken(tools, {}, listings, 'is left to the call')).toEqual([sentence]);
  }
});
