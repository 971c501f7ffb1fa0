import type { Locator, Page } from '@playwright/test';
import { drag, middleOf, node, wires } from '@/e2e/canvas';
import { graph, seriousFaults } from '@/e2e/pages';
import { expect, type Stage, test } from '../stage';

/** These tests edit hook chains on the wire and in the inspector with mouse and keys, and read the files afterwards. */

const lead = `---
name: lead
default: true
agents: [kid]
tool_hooks:
  - hooks.py:audit_hook # who called
  - hooks.py:guard_hook
---
Lead.
`;
const settings = `version: 1
run_hooks:
  - log: {}
agent_hooks:
  lead:
    - clamp: {argument: x, max: 10} # not too much
canvas:
  positions:
    "agent:lead": { x: 0, y: 100 }
    "agent:kid": { x: 820, y: 100 }
`;
const files = {
  'agent-cards/hooks.py': ['audit_hook', 'guard_hook', 'spare_hook']
    .map((name) => `async def ${name}(ctx, args, call_next):\n    return await call_next(args)\n`)
    .join('\n\n'),
  'agent-cards/kid.md': '---\nname: kid\n---\nHelp.\n',
  'agent-cards/lead.md': lead,
  'callboard.yaml': settings,
};

test.beforeEach(async ({ page, stage }) => {
  await stage.openEditor(files);
  await expect(beads(page, 'lead')).toHaveCount(4);
});

/** The beads of an agent on its wire. */
function beads(page: Page, agent: string): Locator {
  return node(page, `agent:${agent}`).getByRole('button', { name: /^Hook / });
}

function bead(page: Page, name: string): Locator {
  return node(page, 'agent:lead').getByRole('button', { name: new RegExp(`^Hook .*${name}`) });
}

/** The names of the hooks of an agent in the inspector, outermost first. */
function listed(page: Page): Locator {
  return page
    .getByRole('list', { name: 'Hook chain of lead, outermost first' })
    .getByRole('button', { name: /^Hook / });
}

/** Saves, and waits until the project has these texts. The other files must be as they were. */
async function expectSaved(page: Page, stage: Stage, changed: Record<string, string>): Promise<void> {
  await page.keyboard.press('ControlOrMeta+s');
  await expect.poll(() => stage.savedFiles()).toEqual({ ...files, ...changed });
}

test('a bead is dragged to another place, and one that may not go there says why', async ({ page, stage }) => {
  await drag(page, await middleOf(bead(page, 'guard_hook')), await leftOf(bead(page, 'audit_hook')));
  await expect(bead(page, 'guard_hook')).toHaveAccessibleName('Hook 3: hooks.py:guard_hook');

  await drag(page, await middleOf(bead(page, 'clamp')), await rightOf(bead(page, 'audit_hook')), async () => {
    await expect(graph(page).getByRole('alert')).toContainText("'clamp' has no code");
  });
  await expect(bead(page, 'clamp')).toHaveAccessibleName('Hook 2: clamp x to −∞ … 10');

  // Code may also live in agent_hooks, so it moves there to stand before a hook without code.
  await drag(page, await middleOf(bead(page, 'audit_hook')), await leftOf(bead(page, 'clamp')));
  await expect(bead(page, 'audit_hook')).toHaveAccessibleName('Hook 2: agent-cards/hooks.py:audit_hook');

  await node(page, 'agent:lead').click({ position: { x: 20, y: 12 } });
  await expect(listed(page)).toHaveText([/^log/, /^audit_hook/, /^clamp/, /^guard_hook/]);
  await expectSaved(page, stage, {
    'agent-cards/lead.md': lead.replace('  - hooks.py:audit_hook # who called\n', ''),
    'callboard.yaml': settings.replace('    - clamp', '    - agent-cards/hooks.py:audit_hook\n    - clamp'),
  });
});

test('keys move, add, copy and remove hooks, and the focus stays with them', async ({ page, stage }) => {
  await node(page, 'agent:lead').click({ position: { x: 20, y: 12 } });
  await node(page, 'agent:lead').focus();
  await page.keyboard.press('Tab');
  await expect(bead(page, 'log')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(bead(page, 'audit_hook')).toBeFocused();
  await page.keyboard.press('Alt+ArrowRight');
  await expect(bead(page, 'audit_hook')).toBeFocused();
  await expect(bead(page, 'audit_hook')).toHaveAccessibleName('Hook 4: hooks.py:audit_hook');
  await expect(page.locator('[data-announcer]')).toHaveText('Move audit_hook to place 4');

  await page.keyboard.press('Insert');
  const palette = page.getByRole('dialog', { name: 'Add a hook to lead' });
  await palette.getByRole('combobox', { name: 'Hook to add' }).fill('spare');
  await page.keyboard.press('Enter');
  await expect(bead(page, 'spare_hook')).toBeFocused();

  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Copy to' }).press('ArrowRight');
  await page.getByRole('menuitem', { name: 'kid' }).press('Enter');
  await expect(beads(page, 'kid')).toHaveCount(2);
  await bead(page, 'spare_hook').focus();
  await page.keyboard.press('Delete');
  await expect(bead(page, 'spare_hook')).toHaveCount(0);
  await expect(bead(page, 'audit_hook')).toBeFocused();

  await expectSaved(page, stage, {
    'agent-cards/lead.md': lead.replace(/( {2}- hooks.py:audit_hook # who called\n)(.*\n)/, '$2$1'),
    'agent-cards/kid.md': '---\nname: kid\ntool_hooks:\n  - hooks.py:spare_hook\n---\nHelp.\n',
  });
});

test('the inspector shows the whole chain, with the settings of each hook', async ({ page, stage }) => {
  await node(page, 'agent:lead').click({ position: { x: 20, y: 12 } });
  await expect(listed(page)).toHaveText([/^log/, /^clamp/, /^audit_hook/, /^guard_hook/]);
  await listed(page).nth(1).click();
  await page.getByRole('textbox', { name: 'max', exact: true }).fill('3');
  await expect(bead(page, 'clamp')).toHaveAccessibleName('Hook 2: clamp x to −∞ … 3');
  await page.getByRole('textbox', { name: 'min', exact: true }).fill('5');
  await expect(page.getByText("'min' is more than 'max'")).toBeVisible();
  await page.getByRole('textbox', { name: 'max', exact: true }).fill('9');
  await expect(bead(page, 'clamp')).toHaveAccessibleName('Hook 2: clamp x to 5 … 9');

  await listed(page).nth(2).click();
  await page.getByRole('combobox', { name: 'If it fails' }).click();
  await page.getByRole('option', { name: 'Skip the hook' }).click();
  await expect(page.getByText('it is skipped.')).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);

  await expectSaved(page, stage, {
    'callboard.yaml': settings
      .replace('{argument: x, max: 10}', '{argument: x, max: 9, min: 5}')
      .concat('hooks:\n  agent-cards/hooks.py:audit_hook:\n    on_error: skip\n'),
  });
});

test('a new hook is written, added by the plus between beads, and opened at its line @full', async ({ page }) => {
  await node(page, 'agent:lead').click({ position: { x: 20, y: 12 } });
  await node(page, 'agent:lead').getByRole('button', { name: 'Add a hook before guard_hook' }).click();
  const palette = page.getByRole('dialog', { name: 'Add a hook to lead' });
  await palette.getByRole('combobox', { name: 'Hook to add' }).fill('fresh_hook');
  await palette.getByRole('option', { name: "New hook 'fresh_hook'…" }).click();
  await palette.getByRole('button', { name: 'Write and add' }).click();
  await expect(bead(page, 'fresh_hook')).toHaveAccessibleName('Hook 4: hooks.py:fresh_hook');
  await bead(page, 'fresh_hook').dblclick();
  await expect(page.locator('.cm-content')).toContainText('async def fresh_hook(');
});

test('a hook is switched off and on by mouse and keys, and has one form wherever it is selected', async ({
  page,
  stage,
}) => {
  await bead(page, 'clamp').click();
  await expect(listed(page).nth(1)).toHaveAttribute('aria-expanded', 'true');
  await page.getByRole('checkbox', { name: 'On', exact: true }).click();
  await expect(bead(page, 'clamp')).toHaveAccessibleName('Hook 2: clamp x to −∞ … 10, off');
  await expect(page.getByText('Switched off: it stays in the file, and every run skips it.')).toBeVisible();
  await expect(page.getByRole('treeitem', { name: /lead/ }).first()).toContainText('1 hook off');

  await bead(page, 'audit_hook').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Switch off' }).click();
  await expect(bead(page, 'audit_hook')).toHaveAccessibleName('Hook 3: hooks.py:audit_hook, off');
  await bead(page, 'guard_hook').focus();
  await page.keyboard.press('o');
  await expect(bead(page, 'guard_hook')).toHaveAccessibleName('Hook 4: hooks.py:guard_hook, off');
  await page.keyboard.press('o');
  await expect(bead(page, 'guard_hook')).toHaveAccessibleName('Hook 4: hooks.py:guard_hook');
  await page.keyboard.press('ControlOrMeta+z');
  await page.keyboard.press('ControlOrMeta+z');
  expect(await seriousFaults(page)).toEqual([]);
  await expectSaved(page, stage, {
    'callboard.yaml': settings
      .replace('# not too much', '# not too much\n      enabled: false')
      .concat('hooks_off:\n  lead:\n    tool_hooks:\n      - hooks.py:audit_hook\n'),
  });

  // The inspector of the wire has the same form.
  const wire = await middleOf(wires(page).locator('path.react-flow__edge-interaction').first());
  await page.mouse.click(wire.x, wire.y);
  await listed(page).nth(2).click();
  await page.getByRole('checkbox', { name: 'On', exact: true }).click();
  await expect(bead(page, 'audit_hook')).toHaveAccessibleName('Hook 3: hooks.py:audit_hook');
});

async function leftOf(target: Locator) {
  const box = await target.boundingBox();
  if (box === null) throw new Error(`${target} is not on the screen`);
  return { x: box.x + 2, y: box.y + box.height / 2 };
}

async function rightOf(target: Locator) {
  const box = await target.boundingBox();
  if (box === null) throw new Error(`${target} is not on the screen`);
  return { x: box.x + box.width + 4, y: box.y + box.height / 2 };
}
