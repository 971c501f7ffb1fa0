import { createProject } from './api';
import { node } from './canvas';
import { openEditor, seriousFaults, showPanel } from './pages';
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

test('a tool shows its tests and other projects, and is deleted only after these were named @full', async ({
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
  await expect(uses).toContainText('main draft');
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

const guarded = (mark: number) => ({
  ...tested,
  'agent-cards/lead.md':
    '---\nname: lead\ndefault: true\nagents: [writer]\ntool_hooks: [../hooks.ts:audit]\nskills: [skills/letters]\n---\nLead.\n',
  'hooks.ts': `// ${mark}\nexport function audit(ctx, args, next) {\n  return next(args);\n}\n`,
  'skills/letters/SKILL.md': `---\nname: letters\ndescription: Letters of ${mark}\n---\nWrite.\n`,
  'callboard.yaml': 'version: 1\nagent_hooks:\n  lead:\n    - redact: { keys: [password] }\n',
});

test('the file of a hook is deleted only after its tests were named, and undo brings it back @full', async ({
  page,
  baseURL,
}, info) => {
  const project = await createProject(baseURL ?? '', `Files ${Date.now()}`, guarded(Date.now()));
  await openEditor(page, project);
  await showPanel(page, 'Run');
  await page.getByRole('tab', { name: 'Files' }).click();
  const files = page.getByRole('list', { name: 'Files' });
  const file = files.getByRole('button', { name: 'hooks.ts', exact: true });
  const remove = async () => {
    await page.getByRole('button', { name: 'More for hooks.ts', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete file' }).click();
  };
  await remove();
  const question = page.getByRole('alertdialog', { name: 'Delete hooks.ts?' });
  await expect(question).toContainText("noon: a test that needs hook 'hooks.ts:audit'.");
  await page.screenshot({ path: info.outputPath('question.png') });
  expect(await seriousFaults(page)).toEqual([]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(file).toBeVisible();

  await remove();
  await question.getByRole('button', { name: 'Delete hooks.ts', exact: true }).click();
  await expect(file).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(file).toBeVisible();
});

test('skills and hooks without code show where they are used @full', async ({ page, baseURL }, info) => {
  const project = await createProject(baseURL ?? '', `Skilled ${Date.now()}`, guarded(Date.now()));
  await openEditor(page, project);
  await node(page, 'agent:lead').click();
  const inspector = page.getByRole('region', { name: 'Inspector' });
  await inspector.getByText('Where letters is used').click();
  await expect(inspector.getByRole('list', { name: 'Where it is used' }).first()).toContainText('test noon');
  await page.screenshot({ path: info.outputPath('skills.png') });
  const lists = inspector.getByRole('list', { name: 'Where it is used' });
  await expect(lists).toHaveCount(2);
  const chain = inspector.getByRole('list', { name: 'Hook chain of lead, outermost first' });
  await chain.getByRole('button', { name: /^Hook .*redact/ }).click();
  await expect(lists).toHaveCount(3);
  await page.screenshot({ path: info.outputPath('hook.png') });
  expect(await seriousFaults(page)).toEqual([]);
});
