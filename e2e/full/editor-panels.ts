import { expect, type Page } from '@playwright/test';
import { node } from '../canvas';
import { graph, showPanel, showWholeGraph } from '../pages';

/** Every panel of the editor, as steps that open each after the one before. They work at any width. */

const card = (name: string, fields = '', text = `You are ${name}.`) => `---\n${fields}name: ${name}\n---\n${text}\n`;

/** A project with a node of each kind, a wire of each kind, hooks, a note, a group and problems. */
export const panelFiles: Record<string, string> = {
  'agent-cards/lead.md': card(
    'lead',
    `type: agent
default: true
description: Plans the work and hands it out to the others, one piece at a time.
model: passthrough
servers: [clock, nowhere]
tools: { clock: [get_*] }
agents: [kid]
function_tools: ["../tools.ts:add_one", { entrypoint: "../tools.ts:run_code", variant: code, language: python }]
tool_hooks: ["../hooks.ts:audit", "../hooks.ts:gone"]
mcp_connect:
  - { name: far, target: "https://far.example/mcp", headers: { X-Team: blue } }
`,
    'You are lead. Today is {{currentDate}}.\n\nUse {{nothing_like_this}} well.',
  ),
  'agent-cards/kid.md': card('kid', 'type: agent\ndescription: Does one thing.\n'),
  'agent-cards/pal.md': card('pal', 'type: agent\n'),
  'agent-cards/steps.md': card('steps', 'type: chain\nsequence: [kid, pal]\n'),
  'agent-cards/all.md': card('all', 'type: parallel\nfan_out: [kid, pal]\nfan_in: lead\n'),
  'agent-cards/judge.md': card('judge', 'type: evaluator_optimizer\ngenerator: kid\nevaluator: pal\n'),
  'agent-cards/desk.md': card('desk', 'type: router\nagents: [kid, pal]\n'),
  'agent-cards/plan.md': card('plan', 'type: orchestrator\nagents: [kid, pal]\n'),
  'agent-cards/vote.md': card('vote', 'type: MAKER\nworker: kid\n'),
  'agent-cards/rates.md': card('rates', 'type: a2a\nurl: https://rates.example\nheaders: { X-Team: blue }\n'),
  'tools.ts':
    'export function add_one(x: number): number {\n  return x + 1;\n}\n\nexport function run_code(code: string): string {\n  return code;\n}\n',
  'hooks.ts': 'export async function audit(ctx, args, next) {\n  return await next(args);\n}\n',
  'clock.mjs': 'process.exit(1);\n',
  'fast-agent.yaml':
    'mcp:\n  servers:\n    clock: { command: node, args: [clock.mjs], env: { TZ: UTC } }\n    web: { url: "https://web.example/mcp", headers: { X-Team: blue } }\n',
  'callboard.yaml': `version: 1
entry: lead
example_message: Plan the day.
agent_hooks:
  lead:
    - { kind: deny, tools: [rm], message: Not here. }
toolsets:
  lead:
    delegation: { allow_workers: [pal], create: allowed }
delegations:
  lead:
    kid: { timeout_ms: 5000 }
canvas:
  notes:
    - { id: n, text: "Ask the team first, then change the plan.", x: 0, y: -260, width: 200, height: 96 }
  groups:
    - { id: g, title: Helpers, colour: blue, members: ["agent:kid", "agent:pal"] }
scripts:
  lead:
    - turns: [{ text: Done. }]
`,
};

export interface EditorPanel {
  readonly name: string;
  /** What a picture shows. Without it, the whole window. */
  readonly shows?: 'inspector';
  readonly open: (page: Page) => Promise<void>;
}

async function select(page: Page, id: string): Promise<void> {
  await showPanel(page, 'Canvas');
  await showWholeGraph(page);
  await node(page, id).click({ position: { x: 8, y: 8 } });
  await showPanel(page, 'Inspector');
  await page.getByRole('tab', { name: 'Properties' }).click();
}

/** Selects the first wire of a kind by walking over those of its first node with the key of the canvas. */
async function selectWire(page: Page, from: string, kind: string): Promise<void> {
  await select(page, from);
  await showPanel(page, 'Canvas');
  await showWholeGraph(page);
  await node(page, from).focus();
  const wanted = graph(page).locator(`.react-flow__edge.selected [data-kind="${kind}"]`);
  for (let press = 0; press < 12 && (await wanted.count()) === 0; press++) await page.keyboard.press('w');
  await expect(wanted).toHaveCount(1);
  await showPanel(page, 'Inspector');
}

async function dockTab(page: Page, name: RegExp): Promise<void> {
  await showPanel(page, 'Run');
  await page.getByRole('tab', { name }).click();
}

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

const form = (name: string, id: string): EditorPanel => ({
  name,
  shows: 'inspector',
  open: (page) => select(page, id),
});

const wire = (name: string, from: string, kind: string): EditorPanel => ({
  name,
  shows: 'inspector',
  open: (page) => selectWire(page, from, kind),
});

export const editorPanels: readonly EditorPanel[] = [
  { name: 'canvas', open: (page) => showWholeGraph(page) },
  { name: 'outline', open: (page) => showPanel(page, 'Outline') },
  form('agent', 'agent:lead'),
  {
    name: 'surface',
    shows: 'inspector',
    open: async (page) => {
      await page.getByRole('tab', { name: 'What the model sees' }).click();
      await expect(page.getByRole('tabpanel', { name: 'What the model sees' })).toContainText('Final instruction');
    },
  },
  {
    name: 'card',
    shows: 'inspector',
    open: async (page) => {
      await page.getByRole('tab', { name: 'Card' }).click();
      await expect(page.getByRole('textbox', { name: 'Text of agent-cards/lead.md' })).toBeVisible();
    },
  },
  form('chain', 'agent:steps'),
  form('parallel', 'agent:all'),
  form('evaluator', 'agent:judge'),
  form('router', 'agent:desk'),
  form('orchestrator', 'agent:plan'),
  form('maker', 'agent:vote'),
  form('remote', 'agent:rates'),
  form('server', 'server:clock'),
  form('server-http', 'server:web'),
  form('server-missing', 'server:nowhere'),
  form('function', 'function:tools.ts:add_one'),
  form('note', 'note:n'),
  wire('wire-delegation', 'agent:lead', 'delegation'),
  wire('wire-may-call', 'agent:lead', 'may_call'),
  wire('wire-server', 'agent:lead', 'uses'),
  wire('wire-step', 'agent:steps', 'sequence'),
  wire('wire-fan-out', 'agent:all', 'fan_out'),
  {
    name: 'bench',
    open: async (page) => {
      await select(page, 'agent:lead');
      await page.getByRole('button', { name: 'Try hooks…' }).click();
      await expect(page.getByRole('dialog', { name: 'Try hooks of lead' })).toBeVisible();
    },
  },
  {
    name: 'picker-model',
    open: async (page) => {
      await closeDialog(page);
      await page.getByRole('combobox', { name: 'Model', exact: true }).first().click();
      await expect(page.getByRole('listbox')).toBeVisible();
    },
  },
  {
    name: 'picker-function',
    open: async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('combobox', { name: 'Function tools' }).click();
      await expect(page.getByRole('listbox')).toBeVisible();
    },
  },
  {
    name: 'picker-node',
    open: async (page) => {
      await page.keyboard.press('Escape');
      await showPanel(page, 'Canvas');
      await node(page, 'agent:lead').focus();
      await page.keyboard.press('c');
      await expect(page.getByRole('combobox', { name: 'Connect lead to' })).toBeVisible();
    },
  },
  {
    name: 'menu-node',
    open: async (page) => {
      await page.keyboard.press('Escape');
      await showWholeGraph(page);
      await node(page, 'agent:kid').click({ button: 'right', position: { x: 8, y: 8 } });
      await expect(page.getByRole('menu')).toBeVisible();
    },
  },
  {
    name: 'instruction',
    open: async (page) => {
      await page.keyboard.press('Escape');
      await select(page, 'agent:lead');
      await page.getByRole('button', { name: 'Edit wide' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'dock-run',
    open: async (page) => {
      await closeDialog(page);
      await dockTab(page, /^Run/);
    },
  },
  { name: 'dock-problems', open: (page) => dockTab(page, /^Problems/) },
  { name: 'dock-files', open: (page) => dockTab(page, /^Files/) },
  {
    name: 'export',
    open: async (page) => {
      await page.getByRole('button', { name: 'Export…' }).click();
      await expect(page.getByRole('dialog', { name: 'Export' })).toBeVisible();
    },
  },
  {
    name: 'export-fast-agent',
    open: async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Export' });
      await dialog.getByRole('tab', { name: 'For fast-agent' }).click();
      await expect(dialog.getByRole('link', { name: 'Download zip' })).toBeVisible();
    },
  },
  {
    name: 'code',
    open: async (page) => {
      await closeDialog(page);
      await page.getByRole('list', { name: 'Files' }).getByRole('button', { name: 'tools.ts', exact: true }).click();
      await expect(page.getByRole('textbox', { name: 'Text of tools.ts' })).toBeVisible();
    },
  },
  {
    name: 'find',
    open: async (page) => {
      await page.getByRole('button', { name: 'Back to the canvas' }).click();
      await showPanel(page, 'Canvas');
      await graph(page).focus();
      await page.keyboard.press('ControlOrMeta+f');
      const find = page.getByRole('dialog', { name: 'Find in the project' });
      await find.getByRole('combobox').fill('kid');
      await expect(find.getByRole('option').first()).toBeVisible();
    },
  },
  {
    name: 'commands',
    open: async (page) => {
      await closeDialog(page);
      await page.keyboard.press('ControlOrMeta+k');
      await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
    },
  },
  {
    name: 'tour',
    open: async (page) => {
      await page.getByRole('dialog').getByRole('combobox').fill('tour');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog', { name: /^Tour, step/ })).toBeVisible();
    },
  },
  {
    name: 'keys',
    open: async (page) => {
      await page.keyboard.press('Escape');
      await graph(page).focus();
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'hooks-list',
    open: async (page) => {
      await closeDialog(page);
      await node(page, 'agent:lead').click({ position: { x: 8, y: 8 } });
      await node(page, 'agent:lead')
        .getByRole('button', { name: /^Add a hook/ })
        .last()
        .click();
      await expect(page.getByRole('dialog', { name: 'Add a hook to lead' })).toBeVisible();
    },
  },
];
