import { seriousFaults } from '@/e2e/pages';
import { expect, test } from './stage';

test('an alert is added, changed, switched off and removed beside the charts @phone-full', async ({ page, stage }) => {
  await stage.open('runs/the-dashboard');
  const alerts = page.getByRole('region', { name: 'Alerts' });
  const raised = alerts.getByRole('listitem', { name: 'Error rate above 5 %, runs of Desk' });
  await expect(raised).toContainText('Raised 42 minutes ago');
  await expect(raised).toContainText('now12.4 %');
  await expect(alerts.getByRole('listitem', { name: /London-Project-Manager/ })).toContainText('Too few instances');

  await alerts.getByRole('button', { name: 'Add an alert' }).click();
  const form = alerts.getByRole('form', { name: 'Add an alert' });
  await form.getByRole('combobox', { name: 'Of' }).click();
  await page.getByRole('option', { name: 'A model' }).click();
  await form.getByRole('textbox', { name: 'Name of the model' }).fill('gpt-5');
  await form.getByRole('spinbutton', { name: 'Line in per cent' }).fill('7');
  expect(await seriousFaults(page)).toEqual([]);
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  const added = alerts.getByRole('listitem', { name: 'Error rate above 7 %, model gpt-5 in all projects' });
  await expect(added).toContainText('Not checked yet');
  await stage.pass(2_000);
  await expect(added).toContainText('Fine');

  await added.getByRole('button', { name: 'Change' }).click();
  const change = alerts.getByRole('form', { name: 'Change the alert' });
  await expect(change.getByRole('spinbutton', { name: 'Line in per cent' })).toHaveValue('7');
  await change.getByRole('combobox', { name: 'Figure' }).click();
  await page.getByRole('option', { name: 'Cost of the day' }).click();
  await expect(change.getByRole('combobox', { name: 'In the last' })).toHaveCount(0);
  await change.getByRole('spinbutton', { name: 'Line in US dollars' }).fill('12.5');
  await change.getByRole('button', { name: 'Save' }).click();
  const changed = alerts.getByRole('listitem', { name: 'Cost of the day above $12.50, model gpt-5 in all projects' });
  await changed.getByRole('button', { name: 'Switch off' }).click();
  await expect(changed).toContainText('Off');
  await changed.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(changed).toHaveCount(0);
  await expect(alerts.getByRole('listitem')).toHaveCount(4);
});

test('an open dashboard reads its alerts again each minute, and not while nobody looks @full', async ({
  page,
  stage,
}) => {
  await stage.open('runs/the-dashboard');
  const raised = page.getByRole('listitem', { name: 'Error rate above 5 %, runs of Desk' });
  await expect(raised.getByTitle('137 runs')).toBeVisible();
  await page.evaluate(() =>
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }),
  );
  await stage.pass(200_000);
  await expect(raised.getByTitle('137 runs')).toBeVisible();
  await page.evaluate(() => Reflect.deleteProperty(document, 'visibilityState'));
  await stage.pass(125_000);
  await expect(raised.getByTitle('138 runs')).toBeVisible();
});

test('an alert on a name that nobody has is not fine, and a cost needs no least number @full', async ({
  page,
  stage,
}) => {
  await stage.open('runs/the-dashboard');
  const alerts = page.getByRole('region', { name: 'Alerts' });
  await alerts.getByRole('button', { name: 'Add an alert' }).click();
  const form = alerts.getByRole('form', { name: 'Add an alert' });
  await form.getByRole('spinbutton', { name: 'Least number of runs' }).fill('');
  await form.getByRole('combobox', { name: 'Figure' }).click();
  await page.getByRole('option', { name: 'Cost of the month' }).click();
  await form.getByRole('combobox', { name: 'Of' }).click();
  await page.getByRole('option', { name: 'An agent' }).click();
  await form.getByRole('textbox', { name: 'Name of the agent' }).fill('misspelt');
  await form.getByRole('spinbutton', { name: 'Line in US dollars' }).fill('7');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  const added = alerts.getByRole('listitem', { name: 'Cost of the month above $7.00, agent misspelt in all projects' });
  await stage.pass(2_000);
  await expect(added).toContainText('Nothing counted yet');
  // The form kept a least number, which an error rate has again.
  await added.getByRole('button', { name: 'Change' }).click();
  const change = alerts.getByRole('form', { name: 'Change the alert' });
  await change.getByRole('combobox', { name: 'Figure' }).click();
  await page.getByRole('option', { name: 'Error rate' }).click();
  await expect(change.getByRole('spinbutton', { name: 'Least number of instances' })).toHaveValue('10');
});

test('a dashboard of many alerts lists a hundred at first, and all with some clicks @full @phone-full', async ({
  page,
  stage,
}) => {
  await stage.open('runs/the-dashboard-of-many-alerts');
  const alerts = page.getByRole('region', { name: 'Alerts' });
  await expect(alerts.getByRole('listitem')).toHaveCount(100);
  await expect(alerts.getByRole('listitem').first()).toContainText('Raised 5 minutes ago');
  const more = alerts.getByRole('button', { name: 'Show 100 more' });
  await more.click();
  await stage.idle();
  await expect(alerts.getByRole('listitem')).toHaveCount(200);
  await stage.pass(61_000);
  await expect(alerts.getByRole('listitem')).toHaveCount(200);
  await more.click();
  await stage.idle();
  await expect(alerts.getByRole('listitem')).toHaveCount(230);
  await expect(more).toHaveCount(0);
});
