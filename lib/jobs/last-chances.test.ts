import { expect, test } from 'vitest';
import { fakeClock } from '@/lib/testing/fake-clock';
import { createLastChances } from './last-chances';

test('one run after another has its last chance, until it ends or has survived for five seconds', async () => {
  const clock = fakeClock();
  const chances = createLastChances(clock);
  const told: string[] = [];
  const enter = async (name: string) => {
    const chance = await chances.enter();
    told.push(`${name} enters`);
    chance.begin(() => told.push(`${name} survived`));
    return chance;
  };
  const first = await enter('a');
  const second = enter('b');
  void enter('c');
  await clock.advance(4_999);
  expect(told).toEqual(['a enters']);
  first.end();
  const b = await second;
  await clock.advance(4_999);
  expect(told).toEqual(['a enters', 'b enters']);
  await clock.advance(1);
  expect(told).toEqual(['a enters', 'b enters', 'b survived', 'c enters']);
  b.end();
  first.end();
  await clock.advance(5_000);
  expect(told).toEqual(['a enters', 'b enters', 'b survived', 'c enters', 'c survived']);
});
