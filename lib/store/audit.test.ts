import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AuditChain, auditHash, type NewAuditEntry } from '@/lib/base/audit';
import { testDatabase } from '@/lib/testing/postgres';
import { appendAudit, appendAudits, auditHead, findAudit, readAuditAfter } from './audit';
import { transaction } from './transaction';

const { store } = await testDatabase();

const entry = (object: string, more: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  actor: { by: 'local', via: 'web' },
  action: 'project.renamed',
  object,
  ...more,
});

function faultsOf(entries: Awaited<ReturnType<typeof readAuditAfter>>): readonly string[] {
  const chain = new AuditChain();
  return entries.flatMap((each) => chain.add(each) ?? []);
}

test('entries of transactions at once have one order, no gap, and one chain', async () => {
  const before = (await auditHead(store))?.seq ?? 0;
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      transaction(store, async (connection) => {
        await connection.query('SELECT 1');
        await appendAudit(connection, entry(`p${index}`));
        if (index % 8 === 7) throw new Error('rolled back');
      }).catch(() => undefined),
    ),
  );
  const added = await readAuditAfter(store, before, 100);
  expect(added).toHaveLength(35);
  expect(added.map(({ seq }) => seq)).toEqual(added.map((_, index) => before + index + 1));
  expect(faultsOf(added)).toEqual([]);
});

test('entries of one statement stand in their order, in one chain', async () => {
  const before = (await auditHead(store))?.seq ?? 0;
  const objects = Array.from({ length: 50 }, (_, index) => `item-${index}`);
  await appendAudits(
    store.pool,
    objects.map((object) => entry(object, { body: { object } })),
  );
  await appendAudits(store.pool, []);
  const added = await readAuditAfter(store, before, 100);
  expect(added.map(({ object }) => object)).toEqual(objects);
  expect(added.map(({ body }) => JSON.parse(body))).toEqual(objects.map((object) => ({ object })));
  expect(faultsOf(added)).toEqual([]);
});

test('the database and the program compute the same hash for any text', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(text, text, fc.dictionary(text, text, { maxKeys: 3 }), async (by, object, body) => {
      await appendAudit(store.pool, entry(object, { actor: { by, via: 'api' }, body }));
      const [newest] = await findAudit(store, { limit: 1 }, undefined);
      expect(newest && auditHash(newest)).toBe(newest?.hash);
    }),
    { numRuns: 40 },
  );
});

test('entries cannot be changed or removed', async () => {
  await appendAudit(store.pool, entry('kept'));
  for (const sql of [`UPDATE "Audit" SET actor = 'x'`, 'DELETE FROM "Audit"', 'TRUNCATE "Audit"']) {
    await expect(store.pool.query(sql)).rejects.toThrow('cannot be changed or removed');
  }
});

test('a changed, a missing and a moved entry show', async () => {
  const after = (await auditHead(store))?.seq ?? 0;
  for (const object of ['a', 'b', 'c']) await appendAudit(store.pool, entry(object));
  const [a, b, c] = await readAuditAfter(store, after, 3);
  if (!(a && b && c)) throw new Error('three entries were added');
  expect(faultsOf([a, b, c])).toEqual([]);
  expect(faultsOf([a, { ...b, object: 'x' }, c])).toEqual([`Entry ${b.seq} was changed: its hash does not fit.`]);
  expect(faultsOf([a, c])).toEqual([`Entry ${c.seq} follows entry ${a.seq}. Entries between them are missing.`]);
  const forged = { ...b, object: 'x' };
  expect(faultsOf([a, { ...forged, hash: auditHash(forged) }, c])).toEqual([
    `Entry ${c.seq} does not continue the entry before it. One of them was changed.`,
  ]);
});

test('entries are found by action, project and person, newest first, page by page', async () => {
  const project = 'audited' as never;
  for (const object of ['1', '2', '3']) await appendAudit(store.pool, entry(object, { project }));
  await appendAudit(store.pool, entry('4', { project, action: 'project.deleted', actor: { by: 'ann', via: 'web' } }));
  const found = async (query: object, before?: number) =>
    (await findAudit(store, { project, limit: 2, ...query }, before)).map(({ object, seq }) => ({ object, seq }));
  const [four, three] = await found({});
  expect([four?.object, three?.object]).toEqual(['4', '3']);
  expect((await found({}, three?.seq)).map(({ object }) => object)).toEqual(['2', '1']);
  expect((await found({ actions: ['project.deleted'] })).map(({ object }) => object)).toEqual(['4']);
  expect((await found({ actor: 'local' })).map(({ object }) => object)).toEqual(['3', '2']);
});
