import { answerWhatIsAsked, createProject, exampleFiles, startRun, waitForEnd } from './api';
import { lanes, runFacts } from './pages';
import { expect, test } from './test';

/** For each example: the lanes that must show, and words of the answer. */
const examples: Record<string, { lanes: string[]; answer: RegExp }> = {
  'city-times': { lanes: ['NY-Time[1]', 'London-Time[1]'], answer: /New York: It is .*\d\d:\d\d/ },
  'one-card': { lanes: ['NY-Project-Manager[1]', 'London-Project-Manager[1]'], answer: /\[audit: mcp\]/ },
  coordinator: { lanes: ['weather[1]', 'calendar[1]', 'email[1]'], answer: /Have a good trip!/ },
  'tool-kinds': { lanes: ['clerk[1]', 'clock[1]'], answer: /Reserved 2 × lamp/ },
  'data-processor': { lanes: ['processor[1]', 'processor[2]'], answer: /Greater than ten/ },
  'expert-session': { lanes: ['expert[1]', 'expert[2]', 'expert[3]'], answer: /new conversation/ },
  workers: { lanes: ['summariser[1]', 'reviewer[1]'], answer: /The loop never ends/ },
  'asking-analyst': { lanes: ['analyst[1]'], answer: /^Q3: 2 orders, 360 €$/ },
  approvals: { lanes: ['summariser[1]', 'reviewer[1]'], answer: /^Published “Minutes”/ },
  'workflow-chain': { lanes: ['collector[1]', 'writer[1]', 'editor[1]'], answer: /search now looks into attachments/ },
  'workflow-parallel': {
    lanes: ['legal[1]', 'finance[1]', 'security[1]', 'decision[1]'],
    answer: /Sign after changes/,
  },
  'workflow-router': { lanes: ['billing[1]'], answer: /The second payment goes back/ },
  'workflow-evaluator': { lanes: ['copywriter[3]', 'reviewer[3]'], answer: /within 5 years, we replace it/ },
  'workflow-orchestrator': {
    lanes: ['venues[1]', 'catering[1]', 'invitations[1]'],
    answer: /The workshop costs 780 €/,
  },
  'workflow-planner': { lanes: ['metrics[1]', 'changes[1]', 'traces[2]'], answer: /once for each item/ },
  'workflow-maker': { lanes: ['sorter[1]', 'sorter[4]'], answer: /^COMPLAINT$/ },
  'hooks-typescript': { lanes: ['assistant'], answer: /\[seen by assistant\]/ },
  'hooks-python': { lanes: ['NY-Project-Manager[1]'], answer: /\[audit\]/ },
};

/** Servers and functions, hooks in Python, and a workflow. The command line runs all of them in unit tests (`lib/cli/examples.test.ts`). */
const daily = ['tool-kinds', 'hooks-python', 'workflow-planner'];

for (const [name, promised] of Object.entries(examples)) {
  test(`the example '${name}' runs in the app${daily.includes(name) ? '' : ' @full'}`, async ({ page, baseURL }) => {
    const url = baseURL ?? '';
    const run = await startRun(url, await createProject(url, name, exampleFiles(name)), 'Please begin.');
    if (name === 'asking-analyst') await answerWhatIsAsked(url, run, ['answer', 'approve']);
    if (name === 'approvals') await answerWhatIsAsked(url, run, ['approve', 'approve', 'approve']);
    expect(await waitForEnd(url, run)).toBe('completed');
    await page.goto(`/r/${run}`);
    await expect(runFacts(page)).toContainText('Completed');
    for (const lane of promised.lanes) await expect(lanes(page).getByText(lane, { exact: true })).toBeVisible();
    await expect(page.getByText(promised.answer).first()).toBeVisible();
  });
}
