import { expect, test } from 'vitest';
import { ringWidth } from './ring-width';

test('the ring of a selected node has at least its width on the screen, from near and from far away', () => {
  for (let zoom = 2; zoom > 0.02; zoom *= 0.97) {
    const px = ringWidth(zoom) * zoom;
    expect(px).toBeGreaterThanOrEqual(2.499);
    expect(px).toBeLessThanOrEqual(5);
  }
});

test('a small step of a zoom leaves the ring as it is', () => {
  const widths = new Set(Array.from({ length: 50 }, (_, n) => ringWidth(1 - n / 100)));
  expect(widths.size).toBeLessThan(5);
});
