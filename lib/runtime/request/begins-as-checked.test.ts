import { describe, expect, test } from 'vitest';
import { decodeFile } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

/** A run does not begin with another agent, another model or without a child, when a file that decides this cannot be read. */

type Files = Readonly<Record<string, string | Uint8Array>>;

const lead = '---\nname: lead\ndefault: true\nmodel: passthrough\nagents: [kid]\n---\nLead.\n';
const kid = '---\nname: kid\n---\nHelp.\n';
const sound = { 'agent-cards/lead.md': lead, 'agent-cards/kid.md': kid };

const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string) => Uint8Array.from([0xff, 0xfe, ...[...text].flatMap((one) => [one.charCodeAt(0), 0])]);
const latin1 = (text: string) => Uint8Array.from([...utf8(text), 0xe9, 0x0a]);
const withNul = (text: string) => Uint8Array.from([...utf8(text), 0]);
const tooLarge = (text: string) => text + 'x'.repeat(1_000_001);
const notLoaded = () => new Uint8Array();

const ways = { utf16, latin1, withNul, tooLarge, notLoaded };

function folderOfBytes(files: Files): Folder {
  return new Map(
    Object.entries(files).map(([path, content]) => [
      path,
      content.length === 0
        ? ({ kind: 'binary', bytes: new Uint8Array() } as const)
        : decodeFile(typeof content === 'string' ? utf8(content) : content),
    ]),
  );
}

async function begun(files: Files, agent?: string): Promise<string> {
  const folder = folderOfBytes(files);
  const parsed = readFolder(folder);
  const model = scriptedModel({ lead: ['done'], kid: ['done'], other: ['done'] });
  const { outcome } = await runGraph({ parsed, folder, model, request: { agent, model: 'passthrough' } });
  return outcome.error === undefined
    ? `ran ${model.requests.map(({ agentName }) => agentName)}`
    : outcome.error.message;
}

describe.each(Object.entries(ways))('%s', (_, broken) => {
  test('the default card', async () => {
    expect(await begun({ ...sound, 'agent-cards/lead.md': broken(lead) })).toMatch(
      /^agent-cards\/lead\.md:\d+: .*(Save|smaller)/,
    );
  });

  test('the default card at the top of the folder', async () => {
    if (broken === notLoaded) return;
    expect(await begun({ 'kid.md': kid, 'lead.md': broken(lead) })).toMatch(/^lead\.md:\d+: /);
  });

  test('a card that the default card calls', async () => {
    expect(await begun({ ...sound, 'agent-cards/kid.md': broken(kid) })).toMatch(/^agent-cards\/kid\.md:\d+: /);
  });

  test.each([
    'fast-agent.yaml',
    'fastagent.config.yaml',
    '.fast-agent/fast-agent.yaml',
    'callboard.yaml',
    'fast-agent.secrets.yaml',
  ])('%s', async (path) => {
    expect(await begun({ ...sound, [path]: broken('version: 1\n') })).toMatch(`${path}:`);
  });

  test('a document that is no card stops nothing', async () => {
    const files = {
      ...sound,
      'README.md': broken('# Notes\n'),
      'docs/a.yaml': broken('openapi: 3\nservers: []\npaths: {}\n'),
    };
    expect(await begun(files)).toBe('ran lead');
  });

  test('a card that the entry does not call stops nothing, unless a run begins at it', async () => {
    const files = { ...sound, 'agent-cards/other.md': broken('---\nname: other\n---\n') };
    expect(await begun(files)).toBe('ran lead');
    expect(await begun(files, 'other')).toMatch(/agent-cards\/other\.md:\d+: /);
  });
});

describe('YAML that cannot be read', () => {
  test.each([
    'fast-agent.yaml',
    'fastagent.config.yaml',
    'callboard.yaml',
    'fast-agent.secrets.yaml',
    'fastagent.secrets.yaml',
  ])('%s', async (path) => {
    expect(await begun({ ...sound, [path]: 'default_model: "haiku\nmcp: [\n' })).toMatch(
      new RegExp(`^${path}:1: .*(not closed|Correct)`),
    );
    expect(await begun({ ...sound, [path]: '- a list\n' })).toMatch(new RegExp(`^${path}:1: .*mapping`));
  });

  test('of a secrets file does not say what is in it', async () => {
    const message = await begun({ ...sound, 'fast-agent.secrets.yaml': 'openai: {api_key: "sk-hush\n  x: *sk-hush' });
    expect(message).toMatch('fast-agent.secrets.yaml:');
    expect(message).not.toContain('hush');
  });

  test('two names of the config', async () => {
    const files = { ...sound, 'fast-agent.yaml': 'default_model: a\n', 'fastagent.config.yaml': 'default_model: b\n' };
    expect(await begun(files)).toMatch('two names of one file');
  });

  test('a child whose card has a fault in its YAML', async () => {
    expect(await begun({ ...sound, 'agent-cards/kid.md': '---\nname: kid\nservers: [a\n---\n' })).toMatch(
      'agent-cards/kid.md:3: ',
    );
  });
});

describe('two cards of one name', () => {
  test('the entry', async () => {
    expect(await begun({ ...sound, 'agent-cards/z.md': lead })).toMatch(
      "agent-cards/z.md:2: Agent 'lead' is also defined in agent-cards/lead.md.",
    );
  });

  test('a child', async () => {
    expect(await begun({ ...sound, 'agent-cards/z.md': kid })).toMatch("Agent 'kid' is also defined");
  });
});

test('the first of two defaults counts, also if it cannot be read', async () => {
  const other = '---\nname: other\ndefault: true\n---\n';
  expect(await begun({ ...sound, 'agent-cards/a.md': '---\nname: a\ndefault: true\nservers: [\n---\n' })).toMatch(
    'agent-cards/a.md:',
  );
  expect(await begun({ ...sound, 'agent-cards/z.md': other })).toBe('ran lead');
});
