import { node } from '@/e2e/canvas';
import { expect, test } from '../stage';

const card = (name: string, fields = '') => `---\nname: ${name}\n${fields}---\nHelp.\n`;

test('several agents get a model and a parameter in one step each, and say where they differ', async ({
  page,
  stage,
}) => {
  await stage.openEditor({
    'agent-cards/lead.md': card('lead', 'default: true\nmodel: haiku\n'),
    'agent-cards/kid.md': card('kid', 'model: sonnet\nrequest_params:\n  maxTokens: 9\n'),
  });
  await node(page, 'agent:lead').click();
  await node(page, 'agent:kid').click({ modifiers: ['Shift'] });
  const form = page.getByRole('tabpanel', { name: 'Properties' });
  await expect(form.getByRole('heading', { name: '2 agents' })).toBeVisible();
  const model = form.getByRole('combobox', { name: 'Model' }).or(form.getByRole('button', { name: /^Model/ }));
  await expect(model.first()).toContainText('different');
  const tokens = form.getByRole('textbox', { name: 'Max tokens' });
  await expect(tokens).toHaveAttribute('placeholder', 'different');

  await tokens.fill('64');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ControlOrMeta+s');
  expect(await stage.savedFiles()).toMatchObject({
    'agent-cards/lead.md': card('lead', 'default: true\nmodel: haiku\nrequest_params:\n  max_tokens: 64\n'),
    'agent-cards/kid.md': card('kid', 'model: sonnet\nrequest_params:\n  maxTokens: 64\n'),
  });
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(tokens).toHaveAttribute('placeholder', 'different');
  await expect(tokens).toHaveValue('');

  await form.getByRole('button', { name: 'Duplicate' }).click();
  await expect(page.locator('.react-flow__node')).toHaveCount(4);
});

test('a person who may run and not edit leaves several out of the next run, and changes nothing @full', async ({
  page,
  stage,
}) => {
  await stage.open('editor/for-somebody-who-runs');
  await node(page, 'agent:writer').click();
  await node(page, 'agent:critic').click({ modifiers: ['Shift'] });
  const form = page.getByRole('tabpanel', { name: 'Properties' });
  await expect(form.getByRole('textbox', { name: 'Max tokens' })).toBeDisabled();
  await expect(form.getByRole('button', { name: /^(Delete|Duplicate)/ })).toHaveCount(0);
  await form.getByRole('button', { name: 'Leave 2 out of the next run' }).click();
  await expect(page.getByText('without writer, critic')).toBeVisible();
});
