import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ChosenBar, type RunDeletion } from './delete-runs';

const deletion: RunDeletion = {
  count: async () => ({ runs: 0, active: 0, bytes: 0 }),
  remove: async () => ({ deleted: 0, stopping: 0, more: false, deletion: null }),
  restore: async () => ({ restored: 0, more: false }),
};

function shown(chosen: readonly string[], offered: RunDeletion | undefined): string {
  const nothing = () => undefined;
  return renderToStaticMarkup(
    <ChosenBar
      chosen={new Set(chosen)}
      query=""
      isAllListed
      deletion={offered}
      onClear={nothing}
      onDeleted={nothing}
    />,
  );
}

test('selected runs are compared by everybody, and deleted by people who may', () => {
  expect(shown([], undefined)).toBe('');
  const reader = shown(['a', 'b'], undefined);
  expect(reader).toContain('2 runs selected');
  expect(reader).toContain('/compare?a=a&amp;b=b');
  expect(reader).not.toContain('Delete');
  expect(shown(['a', 'b'], deletion)).toMatch(/Compare.*Delete all runs….*Delete selected…/s);
});
