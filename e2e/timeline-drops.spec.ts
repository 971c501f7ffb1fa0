import { createProject, startRun, waitForEnd } from './api';
import { lanes, runFacts } from './pages';
import { expect, test } from './test';

const rounds = 12;
const drops = 40;
const round = `        - { delay_ms: 250, calls: [${'{ tool: agent__kid, arguments: { text: Go } }, '.repeat(3)}] }\n`;
const files = {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nmodel: script\nagents: [kid]\n---\nLead.\n',
  'agent-cards/kid.md': '---\nname: kid\nmodel: script\n---\nHelp.\n',
  'callboard.yaml': `version: 1
entry: lead
scripts:
  lead:
    - turns:
${round.repeat(rounds)}        - { text: Never said., delay_ms: 600000 }
  kid:
    - turns: [{ text: Done., delay_ms: 100 }]
`,
};

test('a run whose stream drops forty times, and once the page, is shown whole and once', async ({ page, baseURL }) => {
  await page.addInitScript((most) => {
    const wait = window.setTimeout;
    const Stream = window.EventSource;
    let opened = 0;
    // Most streams drop before their first message. Each fourth drops after one, or when none has come for a while.
    window.EventSource = class extends Stream {
      constructor(url: string | URL, init?: EventSourceInit) {
        super(url, init);
        opened += 1;
        document.documentElement.dataset.streams = String(opened);
        if (opened > most) return;
        let hasDropped = false;
        const drop = () => {
          if (!hasDropped) this.dispatchEvent(new Event('error'));
          hasDropped = true;
        };
        super.addEventListener(opened % 4 === 0 ? 'message' : 'open', () => queueMicrotask(drop));
        if (opened % 4 === 0) wait(drop, 250);
      }
    };
    // Pauses before the next attempt are short.
    Object.assign(window, { setTimeout: (work: () => void, ms = 0) => wait(work, ms >= 250 ? ms / 500 : ms) });
  }, drops);
  const project = await createProject(baseURL ?? '', `Drops ${Date.now()}`, files);
  const run = await startRun(baseURL ?? '', project, 'Begin');
  await page.goto(`/r/${run}`);
  await expect(lanes(page).getByText('kid[2]', { exact: true })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-streams', String(drops + 1));
  await expect(page.getByText(`${1 + rounds * 3} instances`)).toBeVisible();
  await page.request.post(`/api/v1/runs/${run}/stop`);
  expect(await waitForEnd(baseURL ?? '', run)).toBe('cancelled');
  await expect(runFacts(page)).toContainText('Stopped');

  // Only rows in view are in the page. The height of the list says how many there are.
  const shown = async () => ({
    lanes: await lanes(page).getByRole('treeitem').allInnerTexts(),
    facts: await runFacts(page).innerText(),
    history: await page.getByRole('list', { name: 'Calls and results' }).getAttribute('style'),
  });
  const followed = await shown();
  await page.reload();
  await expect(runFacts(page)).toContainText('Stopped');
  await expect.poll(shown).toEqual(followed);
});
