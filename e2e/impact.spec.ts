import { createProject } from './api';
import { node } from './canvas';
import { openEditor, seriousFaults } from './pages';
import { expect, test } from './test';

/** One person looks where a tool is used before deleting it. */

const files = {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [writer]\n---\nLead.\n',
  'agent-cards/writer.md': '---\nname: writer\nfunction_tools: [../tools.ts:count]\n---\nWrite.\n',
  'tools.ts': 'export function count() {\n  return 1;\n}\n',
};
const tested = {
  ...files,
  'tests/noon.fixture.yaml': 'version: 1\nmessage: Noon?\nexpect: {}\n',
  'tests/noon.recording.jsonl': '{"recording":1,"took_ms":1}\n',
};

test('F-18 a tool shows its tests and other projects, and is deleted only after these were named', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  const mark = Date.now();
  await createProject(url, `Copy ${mark}`, files);
  const project = await createProject(url, `Own ${mark}`, tested);
  await openEditor(page, project);
  await node(page, 'function:tools.ts:count').click();
  const uses = page.getByRole('list', { name: 'Where it is used' });
  await expect(uses).toContainText('draft main');
  await expect(uses).toContainText('test noon');
  await expect(uses.getByRole('link', { name: `Copy ${mark}` })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);

  await page.keyboard.press('Delete');
  const question = page.getByRole('alertdialog', { name: 'Delete count?' });
  await expect(question).toContainText("noon: a test that needs tool 'tools.ts:count'.");
  await expect(question).toContainText(`The same tool is in Copy ${mark}`);
  expect(await seriousFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(node(page, 'function:tools.ts:count')).toBeVisible();
  await node(page, 'function:tools.ts:count').click();
  await page.keyboard.press('Delete');
  await question.getByRole('button', { name: 'Delete count' }).click();
  await expect(node(page, 'function:tools.ts:count')).toHaveCount(0);
});
