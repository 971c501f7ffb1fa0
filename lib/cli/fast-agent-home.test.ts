import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { withSecrets } from '@/lib/cards/read/secrets';
import { readPicked } from '@/lib/client/source-files';
import { callCallboard } from '@/lib/testing/callboard';

/** A project in fast-agent's layout: everything is in `.fast-agent`, whose config takes precedence over the one at the top. */

const files: Readonly<Record<string, string>> = {
  '.fast-agent/agent-cards/lead.md':
    '---\nname: lead\ndefault: true\nmodel: $system.quiet\nagents: [helper]\ntool_hooks:\n  after_turn_complete: ../hooks/note.py:note\n---\nLead. {{file:.fast-agent/shared/style.md}}\n{{agentSkills}}\n',
  '.fast-agent/tool-cards/helper.md': '---\nname: helper\nmodel: passthrough\ntool_only: true\n---\nHelp.\n',
  '.fast-agent/hooks/note.py': 'async def note(ctx):\n    pass\n',
  '.fast-agent/shared/style.md': 'Be short.\n',
  '.fast-agent/skills/sums/SKILL.md': '---\nname: sums\ndescription: Adds.\n---\nAdd.\n',
  '.fast-agent/fastagent.config.yaml':
    'model_references: {system: {quiet: passthrough}}\nopenai: {base_url: "http://localhost:9/v1"}\n',
  '.fast-agent/fastagent.secrets.yaml': 'openai: {api_key: sk-of-the-home}\n',
  '.fast-agent/sessions/2611220900-abc/history.json': '{"messages": []}\n',
  'fastagent.config.yaml': 'default_model: openai.gpt-of-the-top\n',
  'notes.txt': 'Nothing.\n',
};
const cards = ['.fast-agent/agent-cards/lead.md', '.fast-agent/tool-cards/helper.md'];

let root = '';
let project = '';

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-home-'));
  project = path.join(root, 'project');
  await writeFiles(project, files);
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function writeFiles(where: string, some: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(some)) {
    await mkdir(path.dirname(path.join(where, file)), { recursive: true });
    await writeFile(path.join(where, file), text);
  }
}

const callboard = (...args: string[]) => callCallboard(args, { OPENAI_API_KEY: '', OPENAI_BASE_URL: '' });
const at = (folder: string) => path.join(root, folder);

describe('a folder with .fast-agent', () => {
  test('check finds its cards, with the config, the hooks and the files in it', async () => {
    const { code, stdout } = await callboard('check', at('project'), '--python', '--json');
    const report: { cards: { file: string }[]; issues: { file: string; code: string; severity: string }[] } =
      JSON.parse(stdout);
    expect(report.cards.map(({ file }) => file)).toEqual(cards);
    expect(report.issues.map(({ file, code }) => `${file} ${code}`)).toEqual([
      '.fast-agent/fastagent.secrets.yaml secrets-in-folder',
      'fastagent.config.yaml config-unused',
    ]);
    expect(code).toBe(0);
  });

  test('the folder itself, a folder of cards in it and a single card are judged as parts of the project', async () => {
    expect((await callboard('check', at('project/.fast-agent'), '--python')).stdout).toContain(
      '2 cards, 0 errors, 1 warnings',
    );
    expect((await callboard('check', at('project/.fast-agent/agent-cards'), '--python')).stdout).toBe(
      '1 cards, 0 errors, 0 warnings and notes\n',
    );
    expect((await callboard('check', at('project/.fast-agent/agent-cards/lead.md'), '--python')).stdout).toBe(
      '1 cards, 0 errors, 0 warnings and notes\n',
    );
  });

  test.each([['project'], ['project/.fast-agent'], ['project/.fast-agent/agent-cards']])('run of %s', async (given) => {
    const { code, stdout, stderr } = await callboard('run', at(given), '--message', 'Hello', '--python', '--json');
    expect([code, stderr]).toEqual([0, '']);
    const events = stdout.trim().split('\n');
    expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ status: 'completed', answer: 'Hello' });
    expect(JSON.parse(events[0] ?? '')).toMatchObject({ entryAgent: 'lead' });
    expect(stdout).toContain('"tools":["read_skill","agent__helper"]');
  });

  test('export copies it, without the sessions', async () => {
    for (const target of [[], ['--for', 'fast-agent']]) {
      const out = `out-${target.length}`;
      const exported = await callboard('export', at('project'), ...target, '--out', at(out));
      expect([exported.code, exported.stderr]).toEqual([0, '']);
      for (const file of cards) expect(await readFile(path.join(root, out, file), 'utf8')).toBe(files[file]);
      await expect(
        readFile(path.join(root, out, '.fast-agent/sessions/2611220900-abc/history.json')),
      ).rejects.toThrow();
    }
  });

  test('the app imports the same files', () => {
    const picked = Object.keys(files).map((file) => ({ name: path.basename(file), webkitRelativePath: `my/${file}` }));
    const source = readPicked(picked);
    const inApp = source.files.map((one) => one.path);
    expect(inApp).toEqual(
      Object.keys(files)
        .filter((file) => !file.includes('/sessions/'))
        .sort(),
    );
    const folder = folderOf(Object.fromEntries(inApp.map((file) => [file, files[file] ?? ''])));
    const parsed = readFolder(folder);
    expect(parsed.cards.map(({ file }) => file)).toEqual(cards);
    expect(parsed.config).toMatchObject({ file: '.fast-agent/fastagent.config.yaml', defaultModel: undefined });
    expect(withSecrets(parsed, folder).config.providers.openai?.apiKey).toBe('sk-of-the-home');
  });

  test('secrets without a config are those of .fast-agent, then those at the top', () => {
    const [home, top] = ['.fast-agent/fast-agent.secrets.yaml', 'fast-agent.secrets.yaml'];
    const keyOf = (...names: string[]) => {
      const folder = folderOf(Object.fromEntries(names.map((name) => [name, `openai: {api_key: "${name}"}\n`])));
      return withSecrets(readFolder(folder), folder).config.providers.openai?.apiKey;
    };
    expect([keyOf(top, home), keyOf(top)]).toEqual([home, top]);
  });
});

describe('one of several folders of cards', () => {
  const card = (name: string, fields = '') => `---\nname: ${name}\nmodel: passthrough\n${fields}---\nWork.\n`;
  const several = {
    'fast-agent.yaml': 'default_model: passthrough\n',
    'simple/lead.md': card('lead', 'default: true\nagents: [kid]\n'),
    'simple/kid.md': card('kid'),
    'extended/lead.md': card('lead', 'default: true\nagents: [kid, far]\n'),
    'extended/kid.md': card('kid'),
    'shared/far.md': card('far'),
  };

  test('is judged and run alone, with the settings above it and the agents that it uses', async () => {
    await writeFiles(path.join(root, 'several'), several);
    for (const [given, count] of [
      ['several/simple', 2],
      ['several/extended', 2],
      ['several/shared', 1],
    ] as const) {
      expect((await callboard('check', at(given))).stdout).toBe(`${count} cards, 0 errors, 0 warnings and notes\n`);
    }
    const run = await callboard('run', at('several/simple'), '--message', 'Hello');
    expect([run.code, run.stdout, run.stderr.includes('warning')]).toEqual([0, 'Hello\n', false]);
    const whole = await callboard('check', at('several'));
    expect([whole.code, whole.stdout.match(/duplicate-name/g)?.length]).toEqual([1, 2]);
  });

  test('is refused for a fault of an agent that it uses, or of callboard.yaml', async () => {
    const where = path.join(root, 'refused');
    await writeFiles(where, { ...several, 'shared/far.md': card('far', 'colour: red\n') });
    const checked = await callboard('check', at('refused/extended'));
    expect([checked.code, checked.stdout.split(':')[0]]).toEqual([1, '../shared/far.md']);
    expect((await callboard('run', at('refused/extended'), '--message', 'Hello')).code).toBe(2);
    expect((await callboard('check', at('refused/simple'))).code).toBe(0);
    await writeFile(path.join(where, 'callboard.yaml'), 'version: 1\nlimits: 5\n');
    const settings = await callboard('check', at('refused/simple'));
    expect([settings.code, settings.stdout.split(':')[0]]).toEqual([1, '../callboard.yaml']);
    expect((await callboard('run', at('refused/simple'), '--message', 'Hello')).code).toBe(2);
  });
});
