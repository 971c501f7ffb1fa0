import { expect, it } from 'vitest';
import { type Comer, PasswordTurns, takeTurn } from './password-turns';

const stranger: Comer = { isKnown: false };

/** Keeps both permits until `end`, and lets others come meanwhile. `order` has those whose turn came. */
function busy() {
  const turns = new PasswordTurns();
  const order: string[] = [];
  let end = () => {};
  const promise = new Promise<void>((resolve) => {
    end = resolve;
  });
  const held = [turns.run(stranger, () => promise), turns.run(stranger, () => promise)];
  const come = (name: string, comer: Comer = stranger) =>
    turns
      .run(comer, async () => void order.push(name))
      .then(
        () => 'done',
        (error: unknown) => (error instanceof Error && 'code' in error ? `${error.code}` : 'fault'),
      );
  const finish = async () => {
    end();
    await Promise.all(held);
  };
  return { order, come, finish };
}

it('a person at a known place goes before all sign-ins from elsewhere', async () => {
  const { order, come, finish } = busy();
  const strangers = Array.from({ length: 20 }, (_, n) => come(`stranger ${n}`));
  const known = come('ada', { isKnown: true, account: 'ada' });
  await finish();
  await Promise.all([...strangers, known]);
  expect(order).toHaveLength(21);
  expect(order[0]).toBe('ada');
});

it('a full queue refuses strangers at once, and not people at known places', async () => {
  const { come, finish } = busy();
  const strangers = Array.from({ length: 500 }, (_, n) => come(`stranger ${n}`));
  expect(await Promise.all(strangers.slice(20))).toEqual(Array(480).fill('too_many'));
  const known = come('ada', { isKnown: true, account: 'ada' });
  await finish();
  expect(await Promise.all([...strangers.slice(0, 20), known])).toEqual(Array(21).fill('done'));
});

it('whoever hangs up leaves the queue, and makes room', async () => {
  const { order, come, finish } = busy();
  const clients = Array.from({ length: 20 }, () => new AbortController());
  const strangers = clients.map(({ signal }, n) => come(`stranger ${n}`, { isKnown: false, signal }));
  for (const client of clients) client.abort();
  expect(await Promise.all(strangers)).toEqual(Array(20).fill('too_many'));
  const next = come('next');
  await finish();
  expect([await next, order]).toEqual(['done', ['next']]);
});

it('one account does not fill the queue of known places', async () => {
  const { order, come, finish } = busy();
  const mallory = Array.from({ length: 10 }, (_, n) => come(`mallory ${n}`, { isKnown: true, account: 'mallory' }));
  const ada = come('ada', { isKnown: true, account: 'ada' });
  await finish();
  await Promise.all([...mallory, ada]);
  expect(order.indexOf('ada')).toBe(3);
});

it('work that has its turn needs no second one', async () => {
  const inner = () => takeTurn(stranger, async () => 'hashed');
  expect(await Promise.all([takeTurn(stranger, inner), takeTurn(stranger, inner), takeTurn(stranger, inner)])).toEqual(
    Array(3).fill('hashed'),
  );
});
