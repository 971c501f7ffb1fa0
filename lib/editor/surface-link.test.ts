import { expect, test } from 'vitest';
import { linkedAgent, linkedInstance, surfaceLink } from './surface-link';

test('a link names run, agent and instance, and is read again for that agent alone', () => {
  const shown = { run: 'r1', instance: 'lead/kid & co[2]' };
  const link = surfaceLink('p1', 'kid & co', shown);
  expect(link).toMatch(/^\/p\/p1\?surface=r1&/);
  const { search } = new URL(link, 'http://x');
  expect(linkedInstance(search, 'kid & co')).toEqual(shown);
  expect(linkedInstance(search, 'lead')).toBeUndefined();
  expect(linkedAgent(search)).toBe('kid & co');
  expect(linkedAgent('?again=r1')).toBeUndefined();
});
