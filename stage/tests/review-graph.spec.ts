import { expect, test } from './stage';

test('a change among a thousand agents is seen whole, and each changed part can be chosen from there @full', async ({
  page,
  stage,
}) => {
  await stage.open('review/a-thousand-agents');
  const graph = page.getByRole('region', { name: 'Graph before and after' });
  await graph.scrollIntoViewIfNeeded();
  await graph.getByRole('button', { name: 'Fit View' }).click();
  await stage.idle();
  const nodes = graph.locator('.react-flow__node');
  await expect(nodes).toHaveCount(1_000);
  const outside = await graph.evaluate((frame) => {
    const { left, right, top, bottom } = frame.getBoundingClientRect();
    return [...frame.querySelectorAll('.react-flow__node')].filter((node) => {
      const box = node.getBoundingClientRect();
      return box.left < left || box.right > right || box.top < top || box.bottom > bottom;
    }).length;
  });
  expect(outside).toBe(0);
  await graph.getByRole('button', { name: /worker-500.*changed/ }).click();
  await expect(page.getByRole('region', { name: 'Chosen part' })).toContainText('worker-500');
});
