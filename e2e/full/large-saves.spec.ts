import { createProject } from '../api';
import { expect, test } from '../test';

test('what is larger than a usual request is saved whole', async ({ page, request, baseURL }) => {
  const lead = '---\nname: lead\nmodel: passthrough\n---\nLead.\n';
  const id = await createProject(`${baseURL}`, `large-${Date.now()}`, { 'agent-cards/lead.md': lead });
  const files = `/api/v1/projects/${id}/files`;
  const { version } = await (await request.get(files)).json();
  // With three bytes a character, two files have 14 MB, but as a draft they fit into the browser's storage.
  const line = `${'文'.repeat(119)}\n`;
  const text = line.repeat(20_000);
  await page.goto(`/p/${id}`);
  await page.evaluate(
    ([key, draft]) => localStorage.setItem(key ?? '', draft ?? ''),
    [
      `callboard:draft:${id}`,
      JSON.stringify({
        baseVersion: version,
        files: [
          ['notes/one.txt', text],
          ['notes/two.txt', text],
        ],
      }),
    ],
  );
  await page.reload();
  const read = async () => await (await request.get(files)).json();
  await expect.poll(async () => (await read()).version, { timeout: 60_000 }).toBe(version + 1);
  const saved = await read();
  expect(saved.files['notes/one.txt'] === text && saved.files['notes/two.txt'] === text).toBe(true);
});
