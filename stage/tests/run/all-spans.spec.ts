import { seriousFaults } from '@/e2e/pages';
import { expect, test } from '../stage';

/** The spans of a framework that an import folded into calls and agents. */

const turn = 'execute_event_loop_cycle';

test('a switch shows the spans of the framework, and the address keeps it', async ({ page, stage }) => {
  await stage.open('run/imported');
  const all = page.getByRole('button', { name: 'All spans' });
  await expect(all).toHaveAttribute('aria-pressed', 'false');
  await page.getByRole('button', { name: 'Show as table' }).click();
  await expect(page.getByRole('row', { name: /lookup/ })).toHaveCount(1);
  await expect(page.getByRole('row', { name: turn })).toHaveCount(0);

  // What is selected stays selected.
  await page.getByRole('button', { name: 'lookup', exact: true }).first().click();
  await all.click();
  await expect(all).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('row', { name: turn })).toHaveCount(2);
  await expect(page.getByRole('row', { name: /lookup/ }).getByRole('button')).toHaveAttribute('aria-pressed', 'true');
  await stage.idle();
  expect(new URL(page.url()).searchParams.get('all')).toBe('1');

  await page.getByRole('row', { name: turn }).last().getByRole('button').click();
  const detail = page.getByRole('tabpanel', { name: 'Selection' });
  await expect(detail.getByText('Span of the framework')).toBeVisible();
  await expect(detail.getByText('second turn')).toBeVisible();
  await detail.getByRole('button', { name: 'planner' }).click();
  await expect(detail.getByRole('heading', { name: 'planner' })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);

  await page.getByRole('button', { name: 'Show bars' }).click();
  await page.reload();
  await expect(all).toHaveAttribute('aria-pressed', 'true');
  await all.click();
  await page.getByRole('button', { name: 'Show as table' }).click();
  await expect(page.getByRole('row', { name: turn })).toHaveCount(0);
});

test('files of a run have the spans that the timeline shows @full', async ({ page, stage }) => {
  await stage.open('run/imported');
  const addresses = async () => {
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const links = page.getByRole('menuitem').and(page.locator('[href]'));
    await expect(links).not.toHaveCount(0);
    const found = await links.evaluateAll((items) => items.map((item) => item.getAttribute('href')?.split('/').at(-1)));
    await page.keyboard.press('Escape');
    await stage.idle();
    return found;
  };
  const steps = ['export?as=html', 'otlp', 'export?as=chrome', 'export?as=events', 'export?as=csv'];
  expect(await addresses()).toEqual(steps);

  await page.getByRole('button', { name: 'All spans' }).click();
  await stage.idle();
  const all = ['export?as=html&spans=all', 'otlp', 'export?as=chrome&spans=all', 'export?as=events'];
  expect(await addresses()).toEqual([...all, 'export?as=csv&spans=all']);
});

test('a link to a span of the same run selects it, one to another trace opens its run, and without a run it is text @full', async ({
  page,
  stage,
}) => {
  await stage.open('run/imported');
  await page.getByRole('button', { name: 'Show as table' }).click();
  await page.getByRole('button', { name: 'claude-sonnet-4-5' }).last().click();
  const detail = page.getByRole('tabpanel', { name: 'Selection' });
  await expect(detail.getByRole('link', { name: /^span c{16} of trace b{32}$/ })).toHaveAttribute(
    'href',
    /^\/r\/[0-9a-f-]{36}$/,
  );
  await expect(detail.getByText(/^span d{16} of trace e{32}$/)).toBeVisible();
  await expect(detail.getByRole('link', { name: /trace e/ })).toHaveCount(0);
  await detail.getByRole('button', { name: 'lookup' }).click();
  await expect(detail.getByRole('heading', { name: 'lookup' })).toBeVisible();
});
