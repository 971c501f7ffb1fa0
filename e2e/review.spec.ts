import type { Locator, Page } from '@playwright/test';
import { createProject, publishDraft, writeFiles } from './api';
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
  // Lines are drawn when they come near, and on a phone they move what stands below them.
  await part(page, 'Decision').scrollIntoViewIfNeeded();
  await expect(page.getByRole('list', { name: 'Lines of hooks.ts' })).toBeVisible();
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

test('a review is commented on at a wire, a hook, a sentence and a field, from the graph and the list', {
  tag: ['@full', '@phone-full'],
}, async ({ page, baseURL }) => {
  await openReview(page, baseURL ?? '');
  const graph = part(page, 'Graph');
  const chosen = graph.getByRole('region', { name: 'Chosen part' });
  const isWide = (page.viewportSize()?.width ?? 0) > 700;
  await graph.scrollIntoViewIfNeeded();
  await expect(graph.getByRole('button', { name: 'poet, agent, added' })).toBeVisible();
  await expect(graph.getByRole('button', { name: 'critic, agent, removed' })).toBeVisible();

  // By pointer at an agent and the wire, by keyboard at the hook.
  await graph.getByRole('button', { name: 'poet, agent, added' }).click();
  await expect(chosen.getByRole('heading')).toContainText('poet');
  await graph.getByRole('button', { name: 'delegation from lead to poet, added' }).first().click();
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

test('a new version makes one comment outdated, applies a suggestion and ends the approval', {
  tag: ['@full', '@phone-full'],
}, async ({ page, baseURL }) => {
  const url = baseURL ?? '';
  const project = await openReview(page, url);
  const files = part(page, 'Files');
  await files.scrollIntoViewIfNeeded();
  // A suggestion at a line of a file that is open.
  const line = /^\s*Lead with care\./;
  const number = 1 + changed['agent-cards/lead.md'].split('\n').findIndex((text) => line.test(text));
  await files.getByRole('button', { name: `Comment on line ${number} of agent-cards/lead.md`, exact: true }).click();
  const box = files.getByRole('textbox', { name: `Comment on line ${number}`, exact: true });
  await box.fill('Be `exact`.');
  await files.getByRole('button', { name: 'Suggest a text' }).click();
  await files.getByLabel('New text of these lines').fill('Lead with great care.');
  await files.getByRole('button', { name: 'Comment', exact: true }).click();
  const suggestion = thread(page, `agent-cards/lead.md, line ${number}`);
  await expect(suggestion.getByRole('figure', { name: 'Suggestion' })).toBeVisible();
  await expect(suggestion.locator('code')).toHaveText('exact');

  // At another line, from two columns where there is room.
  const isWide = (page.viewportSize()?.width ?? 0) > 700;
  if (isWide) {
    await files.getByRole('button', { name: 'Show side by side' }).click();
    const text = files.getByRole('textbox', { name: /^New text of hooks\.ts/ });
    await text.getByText('return next').click();
    await expect(files.getByRole('button', { name: 'Comment on line 2 of hooks.ts', exact: true })).toBeVisible();
    await page.keyboard.press('Enter');
  } else await files.getByRole('button', { name: 'Comment on line 2 of hooks.ts', exact: true }).click();
  await files.getByRole('textbox', { name: 'Comment on line 2', exact: true }).fill('Who reads seen?');
  await files.getByRole('button', { name: 'Comment', exact: true }).click();
  await expect(thread(page, 'hooks.ts, line 2')).toContainText('Who reads seen?');
  expect(await seriousFaults(page)).toEqual([]);

  const decision = part(page, 'Decision');
  await decision.getByLabel('Note').fill('Fine');
  await decision.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(decision.getByRole('list', { name: 'Verdicts' })).toContainText('local approved');
  await suggestion.getByRole('button', { name: 'Apply to the draft' }).click();
  await expect(suggestion).toContainText('It is in the draft.');
  await decision.getByRole('button', { name: 'Add what the main draft has now' }).click();
  await expect(suggestion).toContainText('outdated since version 2');
  await expect(thread(page, 'hooks.ts, line 2')).not.toContainText('outdated');
  await expect(decision.getByRole('list', { name: 'Verdicts' })).toContainText('no longer counts');
  await expect(decision.getByRole('list', { name: 'Verdicts' })).toContainText('made it stale');

  // One's own comment is changed, and then deleted.
  const other = thread(page, 'hooks.ts, line 2');
  await other.getByRole('button', { name: 'Edit' }).click();
  await other.getByLabel('Your comment').fill('Who reads *seen*?');
  await other.getByRole('button', { name: 'Store' }).click();
  await expect(other.locator('em')).toHaveText('seen');
  await expect(other).toContainText('edited');
  await other.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete comment' }).click();
  await expect(other).toContainText('deleted');
  await expect(other).not.toContainText('Who reads');
  expect(await seriousFaults(page)).toEqual([]);

  await page.goto(`/p/${project}/revisions`);
  await page.getByRole('button', { name: 'Compare revision 2' }).click();
  await expect(page.getByRole('region', { name: 'Changes between revisions' })).toContainText(
    "Agent 'lead' can now delegate to agent 'poet'.",
  );
  expect(await seriousFaults(page)).toEqual([]);
});

test('an admin says what a project asks, and a review needs it @full', async ({ page, baseURL }) => {
  const project = await openReview(page, baseURL ?? '');
  const review = page.url();
  await page.goto(`/p/${project}/reviews`);
  const asked = part(page, 'What this project requires');
  await expect(asked).toContainText('Nothing is required');
  await asked.getByRole('button', { name: 'Change the requirements' }).click();
  await asked.getByLabel('Approvals').fill('2');
  await asked.getByRole('checkbox', { name: 'Authors may approve' }).click();
  await asked.getByRole('button', { name: 'Add owner' }).click();
  await asked.getByLabel('Path or agent 1').fill('agent:lead');
  await asked.getByLabel('Mail addresses 1').fill('ann@example.org');
  expect(await seriousFaults(page)).toEqual([]);
  await asked.getByRole('button', { name: 'Store' }).click();
  await expect(asked).toContainText('2 people must approve.');
  await expect(asked).toContainText('A change of the agent lead needs the approval of ann@example.org.');
  expect(await seriousFaults(page)).toEqual([]);
  await page.goto(review);
  await expect(part(page, 'Decision')).toContainText('It needs 2 approvals of exactly these files');
});

test('if live moves while a review is open, nobody publishes without seeing what that takes back @full', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  const project = await openReview(page, url);
  await expect(page.getByText('compared with revision 1, which is live now')).toBeVisible();
  await writeFiles(url, project, {
    ...live,
    'agent-cards/writer.md': card('writer', 'tool_hooks: [../hooks.ts:audit]\n', 'Write.'),
  });
  await publishDraft(url, project);

  const publish = part(page, 'Decision').getByRole('button', { name: 'Publish', exact: true });
  await publish.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText("Revision 3 is 'live' now");
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  const moved = part(page, 'Another revision went live');
  await expect(moved).toContainText('Revision 1 was live when this review was opened, and revision 3 is live now.');
  await expect(moved).toContainText("Hook 'audit' no longer wraps the tool calls of agent 'writer'.");
  await expect(moved).toContainText('agent-cards/writer.md');
  await expect(moved).not.toContainText('poet');
  expect(await seriousFaults(page)).toEqual([]);

  await publish.click();
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('compared with revision 3, which was live')).toBeVisible();
  await expect(moved).toHaveCount(0);
});

test('changes are asked for, a thread is resolved and opened again, and verdict and review are withdrawn @full', async ({
  page,
  baseURL,
}) => {
  await openReview(page, baseURL ?? '');
  await say(part(page, 'Comments'), 'the whole change', 'Is it kind?');
  const asked = thread(page, 'the whole change');
  await asked.getByRole('button', { name: 'Resolve', exact: true }).click();
  await expect(asked.getByText('resolved', { exact: true })).toBeVisible();
  await asked.getByRole('button', { name: 'Open again' }).click();
  await expect(asked.getByText('resolved', { exact: true })).toHaveCount(0);

  const decision = part(page, 'Decision');
  await decision.getByLabel('Note').fill('Say what the poet is for.');
  await decision.getByRole('button', { name: 'Request changes' }).click();
  const verdict = decision.getByRole('list', { name: 'Verdicts' }).getByRole('listitem');
  await expect(verdict.first()).toContainText('asked for changes');
  await expect(verdict.first()).toContainText('Say what the poet is for.');
  await decision.getByRole('button', { name: 'Withdraw my verdict' }).click();
  await expect(decision).toContainText('no longer counts');

  await decision.getByRole('button', { name: 'Withdraw review' }).click();
  await expect(decision).toContainText('This review is withdrawn.');
  await expect(decision.getByRole('button', { name: 'Approve' })).toBeDisabled();
  expect(await seriousFaults(page)).toEqual([]);
});
