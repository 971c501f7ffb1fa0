import type { Page } from '@playwright/test';
import { drawWire, dropFromPalette, middleOf, node, type Place, wires } from '@/e2e/canvas';
import { graph, save, seriousFaults } from '@/e2e/pages';
import { expect, test } from '../stage';

/** Each kind of workflow is built by mouse in an empty project. The folder then holds its members and nothing else. */

test.skip(({ viewport }) => (viewport?.width ?? 0) < 1000, 'The palette and the canvas are not seen together.');

const left: Place = { x: 20, y: 220 };
const middle = (row: number): Place => ({ x: 300, y: 60 + row * 140 });
const right: Place = { x: 560, y: 200 };

interface Kind {
  /** Its button in the palette. */
  readonly label: string;
  /** Members in the order in which wires are drawn to them. */
  readonly members: readonly string[];
  /** The lines of the card below its name. */
  readonly fields: string;
  /** What a screen reader says of its node. */
  readonly said: string;
}

const kinds: Readonly<Record<string, Kind>> = {
  chain: {
    label: 'Chain',
    members: ['draft', 'polish'],
    fields: 'sequence:\n  - draft\n  - polish\n',
    said: 'chain · 2 steps in order',
  },
  router: {
    label: 'Router',
    members: ['billing', 'support'],
    fields: 'agents:\n  - billing\n  - support\n',
    said: 'router · one of 2',
  },
  evaluator: {
    label: 'Evaluator',
    members: ['writer', 'critic'],
    fields: 'generator: writer\nevaluator: critic\n',
    said: 'evaluator optimizer',
  },
  orchestrator: {
    label: 'Orchestrator',
    members: ['finder', 'writer'],
    fields: 'agents:\n  - finder\n  - writer\n',
    said: 'orchestrator · plan, ≤ 5 rounds',
  },
  planner: {
    label: 'Planner',
    members: ['scout', 'cook'],
    fields: 'agents:\n  - scout\n  - cook\n',
    said: 'iterative planner · until done',
  },
  maker: { label: 'MAKER', members: ['counter'], fields: 'worker: counter\n', said: 'MAKER · first to lead by 3' },
};

const types: Readonly<Record<string, string>> = {
  evaluator: 'evaluator_optimizer',
  planner: 'iterative_planner',
  maker: 'MAKER',
};

/** `npm test` builds these. What each kind writes is tested in `lib/graph/commands.test.ts` too. */
const daily = ['chain', 'evaluator'];

for (const [name, { label, members, fields, said }] of Object.entries(kinds)) {
  const tag = daily.includes(name) ? '' : ' @full';
  test(`${label}: dropped from the palette, wired to its members, undone and redone${tag}`, async ({ page, stage }) => {
    await stage.openEditor({});
    await dropFromPalette(page, label, left, 'flow');
    for (const [row, member] of members.entries()) await dropFromPalette(page, 'Agent', middle(row), member);
    for (const member of members) await drawWire(page, 'agent:flow', `agent:${member}`);
    await expect(drawnWires(page)).toHaveCount(members.length);
    await expect(node(page, 'agent:flow')).toHaveAccessibleName(`flow, ${said}`);
    await save(page);
    const built = cardsOf(await stage.savedFiles());
    expect(built).toEqual({
      'agent-cards/flow.md': `---\ntype: ${types[name] ?? name}\nname: flow\n${fields}---\n`,
      ...Object.fromEntries(members.map((one) => [`agent-cards/${one}.md`, `---\ntype: agent\nname: ${one}\n---\n`])),
    });
    expect(await seriousFaults(page)).toEqual([]);
    await graph(page).screenshot({ path: test.info().outputPath(`${name}.png`) });

    // Each node was added and named, and each wire drawn.
    const steps = (1 + members.length) * 2 + members.length;
    for (let step = 0; step < steps; step++) await page.keyboard.press('ControlOrMeta+z');
    await expect(graph(page).locator('.react-flow__node')).toHaveCount(0);
    await save(page);
    expect(await stage.savedFiles()).toEqual({});
    for (let step = 0; step < steps; step++) await page.keyboard.press('ControlOrMeta+Shift+z');
    await expect(drawnWires(page)).toHaveCount(members.length);
    await save(page);
    expect(cardsOf(await stage.savedFiles())).toEqual(built);
  });
}

test('Parallel: its last branch becomes the fan-in, and the answers meet at a gate', async ({ page, stage }) => {
  await stage.openEditor({});
  await dropFromPalette(page, 'Parallel', left, 'flow');
  await dropFromPalette(page, 'Agent', middle(0), 'north');
  await dropFromPalette(page, 'Agent', middle(2), 'south');
  await dropFromPalette(page, 'Agent', right, 'judge');
  for (const member of ['north', 'south', 'judge']) await drawWire(page, 'agent:flow', `agent:${member}`);
  await expect(node(page, 'agent:flow')).toHaveAccessibleName('flow, parallel · 3 at once, answers joined');

  const { x, y } = await middleOf(wire(page, 'fan_out', 'judge'));
  await page.mouse.click(x, y, { button: 'right' });
  await page.getByRole('menuitem', { name: 'Make it the fan-in' }).click();
  await expect(graph(page).locator('[data-flow="join"]')).toHaveCount(2);
  await expect(graph(page).locator('text', { hasText: 'fan-in · with request' })).toBeVisible();
  await save(page);
  expect((await stage.savedFiles())['agent-cards/flow.md']).toBe(
    '---\ntype: parallel\nname: flow\nfan_out:\n  - north\n  - south\nfan_in: judge\n---\n',
  );
  expect(await seriousFaults(page)).toEqual([]);
  await graph(page).screenshot({ path: test.info().outputPath('parallel.png') });

  await page.keyboard.press('ControlOrMeta+z');
  await expect(graph(page).locator('[data-flow="join"]')).toHaveCount(0);
  await expect(drawnWires(page)).toHaveCount(3);
});

test('Remote: its address is asked for, its host is shown, and an agent calls it @full', async ({ page, stage }) => {
  await stage.openEditor({});
  await dropFromPalette(page, 'Remote', middle(1), 'partner');
  await expect(node(page, 'agent:partner')).toHaveAccessibleName('partner, remote · no address');
  const url = page.getByRole('textbox', { name: 'URL' });
  await expect(page.getByText("A card of type 'a2a' needs 'url'. Add it.")).toBeVisible();
  await url.fill('https://agents.example.com/weather');
  await expect(node(page, 'agent:partner')).toHaveAccessibleName('partner, remote · agents.example.com');

  await dropFromPalette(page, 'Agent', left, 'lead');
  await drawWire(page, 'agent:lead', 'agent:partner');
  await drawWire(page, 'agent:partner', 'agent:lead', async () => {
    await expect(graph(page).getByRole('alert')).toHaveText(
      "'partner' is a remote agent: its children are set where it runs.",
    );
  });
  await save(page);
  expect(cardsOf(await stage.savedFiles())).toEqual({
    'agent-cards/lead.md': '---\ntype: agent\nname: lead\nagents:\n  - partner\n---\n',
    'agent-cards/partner.md': '---\ntype: a2a\nname: partner\nurl: https://agents.example.com/weather\n---\n',
  });
  expect(await seriousFaults(page)).toEqual([]);
});

test('workflows are in the menus, and a menu adds one where it was opened @full', async ({ page, stage }) => {
  await stage.openEditor({});
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('option', { name: /^Router/ }).click();
  await page.getByRole('textbox', { name: 'New name of router' }).press('Enter');
  const box = await graph(page).boundingBox();
  if (box === null) throw new Error('The canvas is not on the screen');
  await page.mouse.click(box.x + 100, box.y + 320, { button: 'right' });
  await page.getByRole('menuitem', { name: 'Add…' }).click();
  await page.getByRole('option', { name: /^Planner/ }).click();
  await page.getByRole('textbox', { name: 'New name of planner' }).press('Enter');
  await expect(node(page, 'agent:planner')).toHaveAccessibleName('planner, iterative planner · until done');

  await node(page, 'agent:router').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Add member' }).click();
  await page.getByRole('textbox', { name: 'New name of agent' }).press('Enter');
  await expect(node(page, 'agent:router')).toHaveAccessibleName('router, router · chooses');
  await expect(drawnWires(page)).toHaveCount(1);
});

/** The wires of the graph, without the flows between members. */
function drawnWires(page: Page) {
  return wires(page).locator('[data-kind]');
}

function wire(page: Page, kind: string, target: string) {
  return graph(page).locator(
    `.react-flow__edge[data-id="${kind}:agent:flow→agent:${target}"] path.react-flow__edge-interaction`,
  );
}

/** The cards, without the places on the canvas. */
function cardsOf({ 'callboard.yaml': _, ...cards }: Record<string, string>): Record<string, string> {
  return cards;
}
