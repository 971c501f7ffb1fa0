import type { Locator, Page } from '@playwright/test';
import { createProject, writeFiles } from './api';
import { seriousFaults } from './pages';
import { expect, test } from './test';

/** One person opens a review, comments at parts and lines, and adds a version. Nobody has an account here. */

const card = (name: string, fields: string, text: string) =>
  `---\nname: ${name}\nmodel: passthrough\n${fields}---\n${text}\n`;
const hooks = 'export function audit(ctx, args, next) {\n  return next(args);\n}\n';
const live = {
  'agent-cards/lead.md': card(
    'lead',
    'default: true\nagents: [writer, critic]\ntool_hooks: [../hooks.ts:audit]\n',
    'Lead.',
  ),
  'agent-cards/writer.md': card('writer', '', 'Write.'),
  'agent-cards/critic.md': card('critic', '', 'Judge.'),
  'hooks.ts': hooks,
};
const { 'agent-cards/critic.md': _, ...rest } = live;
const changed = {
  ...rest,
  'agent-cards/lead.md': card(
    'lead',
    'default: true\nagents: [writer, poet]\ntool_hooks: [../hooks.ts:audit]\n',
    'Lead with care.',
  ),
  'agent-cards/poet.md': card('poet', '', 'Rhyme.'),
  'hooks.ts': hooks.replace('next(args)', 'next({ ...args, seen: true })'),
};

async function openReview(page: Page, url: string, files: Record<string, string> = changed): Promise<string> {
  const project = await createProject(url, `Reviewed ${Date.now()}`, live);
  await page.goto(`/p/${project}/revisions`);
  await page.getByRole('region', { name: 'Live' }).getByRole('button', { name: 'Publish draft' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Live' })).toContainText('Revision 1 is live');
  await writeFiles(url, project, files);
  await page.goto(`/p/${project}/reviews`);
  await page.getByLabel('Title').fill('A poet in place of the critic');
  await page.getByRole('button', { name: 'Open review' }).click();
  await expect(page.getByRole('heading', { name: 'A poet in place of the critic' })).toBeVisible();
  return project;
}

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const thread = (page: Page, about: string) =>
  part(page, 'Comments').getByRole('listitem', { name: `Thread on ${about}`, exact: true });

/** Writes into the box of a part and sends it. */
async function say(within: Locator, about: string, text: string): Promise<void> {
  await within.getByRole('textbox', { name: `Comment on ${about}`, exact: true }).fill(text);
  await within.getByRole('button', { name: 'Comment', exact: true }).click();
}

test('F-10 F-14 a review is commented on at a wire, a hook, a sentence and a field, from the graph and the list', async ({
  page,
  baseURL,
}) => {
  await openReview(page, baseURL ?? '');
  const graph = part(page, 'Graph');
  const chosen = graph.getByRole('region', { name: 'Chosen part' });
  const isWide = (page.viewportSize()?.width ?? 0) > 700;
  await graph.scrollIntoViewIfNeeded();
  await expect(graph.getByRole('button', { name: 'poet, agent, added' })).toBeVisible();
  await expect(graph.getByRole('button', { name: 'critic, agent, removed' })).toBeVisible();

  // By pointer at the wire, by keyboard at the hook.
  await graph.getByRole('button', { name: 'delegation from lead to poet, added' }).click();
  await expect(chosen.getByRole('list', { name: 'What changes here' })).toContainText(
    "Agent 'lead' can now delegate to agent 'poet'.",
  );
  await say(chosen, "the edge from 'lead' to 'poet'", 'Does the poet know the **house style**?');
  await expect(thread(page, "the edge from 'lead' to 'poet'")).toContainText('house style');
  const bead = graph.getByRole('button', { name: 'Hook 1: ../hooks.ts:audit, of lead, changed' });
  await bead.focus();
  await page.keyboard.press('Enter');
  await expect(chosen.getByRole('heading')).toBeFocused();
  await expect(chosen).toContainText("The code in 'hooks.ts' is different.");
  await say(chosen, "the hook ../hooks.ts:audit of 'lead'", 'Why is seen set?');
  await expect(chosen.getByRole('listitem', { name: /^Thread on the hook/ })).toContainText('Why is seen set?');
  await expect(thread(page, "the hook ../hooks.ts:audit of 'lead'")).toContainText('Why is seen set?');
  expect(await seriousFaults(page)).toEqual([]);

  if (isWide) {
    await graph.getByRole('button', { name: 'Show as list' }).click();
    await expect(graph.getByRole('list', { name: 'Changed parts' })).toContainText('poet');
  }
  // A row, and a field in it.
  const agents = part(page, 'What changes').getByRole('list', { name: 'Agents' });
  await agents.getByRole('button', { name: "Comment on the field instruction of 'lead'" }).click();
  await say(agents, "the field instruction of 'lead'", 'How much care?');
  await expect(thread(page, "the field instruction of 'lead'")).toContainText('How much care?');
  await expect(agents.getByRole('link', { name: /^One comment by/ })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
});
