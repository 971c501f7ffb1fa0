import { createProject, startRun, waitForEnd } from './api';
import { seriousFaults } from './pages';
import { expect, test } from './test';

test('a long list of runs comes page by page, and is not sent again while nothing changes @full', async ({
  page,
  baseURL,
  request,
}) => {
  const url = baseURL ?? '';
  const project = await createProject(url, 'Many runs', {
    'agent-cards/quick.md': '---\nname: quick\nmodel: script\n---\nAnswer.\n',
    'callboard.yaml': 'version: 1\nscripts:\n  quick:\n    - turns: [{ text: Done }]\n',
  });
  const runs = await Promise.all(Array.from({ length: 33 }, (_, index) => startRun(url, project, `Errand ${index}`)));
  for (const run of runs) expect(await waitForEnd(url, run)).toBe('completed');
  const shared = await Promise.all(
    Array.from({ length: 22 }, async (_, index) => {
      const data = { message: `Shared ${index}`, correlationId: 'shared-by-many' };
      const answer = await request.post(`${url}/api/v1/projects/${project}/runs`, { data });
      return (await answer.json()).runId;
    }),
  );
  for (const run of shared) expect(await waitForEnd(url, run)).toBe('completed');

  const same = page.waitForResponse((answer) => answer.url().includes('/api/v1/runs?') && answer.status() === 304);
  await page.goto(`/runs?project=${project}`);
  await expect(page.getByText('20 of 22 runs')).toBeVisible();
  await expect(page.getByText('The newest 30 groups; there may be more')).toBeVisible();
  await same;
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(page.getByText('34 groups', { exact: true })).toBeVisible();

  await page.goto('/runs?correlation=shared-by-many');
  await expect(page.getByText('22 runs', { exact: true })).toBeVisible();
  await page.goto(`/runs?project=${project}&text=errand+17`);
  await expect(page.getByText('1 group', { exact: true })).toBeVisible();
  await page.goto(`/runs?project=${project}&text=nothing+like+it`);
  await expect(page.getByText('No run matches')).toBeVisible();
  await page.goto(`/runs?project=${project}`);
  expect(await seriousFaults(page)).toEqual([]);
});
