import type { Page } from '@playwright/test';
import { node } from '@/e2e/canvas';
import { graph } from '@/e2e/pages';
import { expect, test } from '../stage';

/** A chain of hooks is drawn whole from its first moment: nodes move apart to hold it. */

const card = (name: string, fields = '') => `---\nname: ${name}\n${fields}---\nYou are ${name}.\n`;
const files = {
  'agent-cards/hooks.py': ['audit_hook', 'guard_hook', 'spare_hook']
    .map((name) => `async def ${name}(ctx, args, call_next):\n    return await call_next(args)\n`)
    .join('\n\n'),
  'agent-cards/lead.md': card('lead', 'default: true\nagents: [kid, pal]\n'),
  'agent-cards/kid.md': card('kid', 'servers: [time]\n'),
  'agent-cards/pal.md': card('pal'),
  'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node, args: [time.mjs] }\n',
  'callboard.yaml': `version: 1
canvas:
  positions:
    agent:lead: { x: 0, y: 60 }
    agent:kid: { x: 320, y: 0 }
    agent:pal: { x: 320, y: 120 }
    server:time: { x: 640, y: 0 }
`,
};

test('each hook that is added is named on the wire, and nothing covers anything @full', async ({ page, stage }) => {
  await stage.openEditor(files);
  await node(page, 'agent:lead').click();
  for (const name of ['audit_hook', 'guard_hook', 'spare_hook']) {
    await node(page, 'agent:lead').getByRole('button', { name: 'Add hook', exact: true }).click();
    const palette = page.getByRole('dialog', { name: 'Add a hook to lead' });
    await palette.getByRole('combobox', { name: 'Hook to add' }).fill(name);
    await page.keyboard.press('Enter');
    await expect(node(page, 'agent:lead').getByRole('button', { name: new RegExp(`^Hook .*${name}`) })).toContainText(
      name,
    );
    await stage.idle();
    expect(await overlaps(page)).toEqual([]);
  }
  await page.keyboard.press('ControlOrMeta+z');
  await page.keyboard.press('ControlOrMeta+z');
  await page.keyboard.press('ControlOrMeta+z');
  await page.keyboard.press('ControlOrMeta+s');
  await expect.poll(() => stage.savedFiles()).toEqual(files);
});

/** Returns pairs of nodes and beads of different nodes that cover each other. */
function overlaps(page: Page): Promise<string[]> {
  return graph(page).evaluate((canvas) => {
    const parts = [...canvas.querySelectorAll('.cb-card, [data-hook]')].map((element) => ({
      of: element.closest('.react-flow__node')?.getAttribute('data-id') ?? '',
      box: element.getBoundingClientRect(),
    }));
    return parts.flatMap((a) =>
      parts.flatMap((b) => {
        const apart =
          a.box.right <= b.box.left ||
          b.box.right <= a.box.left ||
          a.box.bottom <= b.box.top ||
          b.box.bottom <= a.box.top;
        return a.of < b.of && !apart ? [`${a.of} and ${b.of}`] : [];
      }),
    );
  });
}
