import type { Page } from '@playwright/test';
import { parse } from 'yaml';
import { node, selected } from '@/e2e/canvas';
import { expectSavedFiles, save } from '@/e2e/pages';
import { expect, test } from '../stage';

/** A copy has all that belongs to its agents, here and in another project, and what cannot come is named. */

const team = {
  'agent-cards/lead.md':
    '---\nname: lead\nagents: [helper]\nservers: [time]\ntool_hooks: [../guard.ts:check]\nskills: [skills/style]\n---\nAsk. {{file:rules.md}}\n',
  'agent-cards/helper.md': '---\nname: helper\nfunction_tools: [../tools.ts:add]\n---\nHelp.\n',
  'guard.ts': "import { log } from './log';\nexport const check = (ctx, args, next) => next(log(args));\n",
  'log.ts': 'export const log = (value: unknown) => value;\n',
  'tools.ts': 'export const add = (args: { a: number }) => args.a + 1;\n',
  'rules.md': 'Rules.\n',
  'skills/style/SKILL.md': '---\nname: style\ndescription: Style.\n---\nShort.\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node, args: [time.mjs] }\n',
  'fastagent.secrets.yaml': 'mcp:\n  servers:\n    time: { env: { TOKEN: hidden } }\n',
  'callboard.yaml': `version: 1
approvals:
  agents: { helper: ask }
  rules:
    - { tools: [time__*], agents: [lead], effect: ask }
delegations:
  lead: { helper: { timeout_ms: 5000 } }
agent_hooks:
  helper: [{ block: { when: { tool: shell } } }]
tool_groups:
  lead: { groups: { clock: { tools: [time__*] } } }
canvas:
  notes: [{ id: n1, text: Read me., x: 0, y: 300 }]
`,
};

/** Returns the settings of a project as values: its hooks, approvals, options and groups. */
const settingsOf = (files: Record<string, string>) => parse(files['callboard.yaml'] ?? '');

async function choose(page: Page, first: string, ...others: readonly string[]) {
  await node(page, first).click();
  for (const id of others) await node(page, id).click({ modifiers: ['Shift'] });
}

test('a copy of two agents has their guards, options, approvals, tool groups and notes', async ({ page, stage }) => {
  await stage.openEditor(team);
  await choose(page, 'agent:lead', 'agent:helper', 'note:n1');
  await page.keyboard.press('ControlOrMeta+c');
  await page.keyboard.press('ControlOrMeta+v');
  await expect(node(page, 'agent:lead-2')).toBeVisible();
  await save(page);
  const files = await stage.savedFiles();
  expect(files['agent-cards/lead-2.md']).toBe(
    team['agent-cards/lead.md'].replace('name: lead', 'name: lead-2').replace('[helper]', '[helper-2]'),
  );
  expect(Object.keys(files).filter((path) => !Object.hasOwn(team, path))).toEqual([
    'agent-cards/helper-2.md',
    'agent-cards/lead-2.md',
  ]);
  expect(settingsOf(files)).toMatchObject({
    approvals: {
      agents: { helper: 'ask', 'helper-2': 'ask' },
      rules: [{ tools: ['time__*'], agents: ['lead', 'lead-2'], effect: 'ask' }],
    },
    delegations: { lead: { helper: { timeout_ms: 5000 } }, 'lead-2': { 'helper-2': { timeout_ms: 5000 } } },
    agent_hooks: { 'helper-2': [{ block: { when: { tool: 'shell' } } }] },
    tool_groups: { 'lead-2': { groups: { clock: { tools: ['time__*'] } } } },
    canvas: { notes: [{ id: 'n1' }, { id: 'n1-2', text: 'Read me.' }] },
  });
  await page.keyboard.press('ControlOrMeta+z');
  await expectSavedFiles(page, () => stage.savedFiles(), team);
});

test('in another project a person is asked about names alone, and what cannot come is named', async ({
  page,
  stage,
}) => {
  await stage.openEditor(team);
  await choose(page, 'agent:lead', 'note:n1');
  await page.keyboard.press('ControlOrMeta+c');
  const here = {
    'agent-cards/other.md': '---\nname: other\ndefault: true\n---\nOther.\n',
    'guard.ts': 'export const check = () => undefined;\n',
    'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: mine }\n',
  };
  await stage.openEditor(here);
  await node(page, 'agent:other').click();
  await page.keyboard.press('ControlOrMeta+v');
  const dialog = page.getByRole('dialog', { name: 'Some names mean something else here' });
  await expect(dialog.getByRole('group')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(node(page, 'agent:lead')).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+v');
  await dialog.getByRole('group', { name: 'Server time' }).getByLabel('Use the one of this project').check();
  await dialog.getByRole('button', { name: 'Paste' }).click();
  await expect(selected(page)).toHaveText([/lead/]);
  await expect(page.getByText("Agent 'helper' was not copied")).toBeVisible();
  await save(page);
  const files = await stage.savedFiles();
  expect(files).toEqual({
    ...here,
    'agent-cards/lead.md': team['agent-cards/lead.md'].replace('guard.ts', 'guard-2.ts'),
    'guard-2.ts': team['guard.ts'],
    ...{ 'log.ts': team['log.ts'], 'rules.md': team['rules.md'] },
    'skills/style/SKILL.md': team['skills/style/SKILL.md'],
    'callboard.yaml': expect.stringContaining('clock'),
  });
  expect(settingsOf(files)).toMatchObject({
    approvals: { rules: [{ tools: ['time__*'], agents: ['lead'], effect: 'ask' }] },
    tool_groups: { lead: { groups: { clock: { tools: ['time__*'] } } } },
    canvas: { notes: [{ text: 'Read me.' }] },
  });
  await page.keyboard.press('ControlOrMeta+z');
  await expectSavedFiles(page, () => stage.savedFiles(), here);
});

test('values of a secrets file never come along, and a notice names whose they are @full', async ({ page, stage }) => {
  await stage.openEditor(team);
  await choose(page, 'agent:helper', 'server:time');
  await page.keyboard.press('ControlOrMeta+c');
  await stage.openEditor({ 'agent-cards/other.md': '---\nname: other\n---\nOther.\n' });
  await node(page, 'agent:other').click();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(node(page, 'server:time')).toBeVisible();
  await expect(page.getByText("secrets of server 'time'")).toBeVisible();
  await save(page);
  expect(JSON.stringify(await stage.savedFiles())).not.toContain('hidden');
});
