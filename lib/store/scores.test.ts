import { expect, test } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import { brandAs, type ProjectId, type RunId, type TreeHash } from '@/lib/base/ids';
import { type GivenScore, mostScoresOfRun, type NewScore } from '@/lib/base/score';
import { eventsOf } from '@/lib/testing/events-of';
import { testDatabase } from '@/lib/testing/postgres';
import { conditionsOf } from '@/lib/testing/run-conditions';
import { storedRun } from '@/lib/testing/stored-run';
import { encodeRun, encodeSpans } from './imported-run-rows';
import { addSpans, putImportedRun } from './imported-runs';
import { binSomeRuns, restoreSomeRuns } from './run-bin';
import { findRunPage } from './run-pages';
import { findRun } from './runs';
import { deleteScore, findScores, followSpans, saveGivenScores, saveScore } from './scores';
import { transaction } from './transaction';

const { store } = await testDatabase();

const by = (name: string): Actor => ({ by: `${name}@example.org`, via: 'web', reach: 'all' });
const [ann, bo] = [by('ann'), by('bo')];
const says = (value: number | null, rest: Partial<NewScore> = {}): NewScore => ({
  ...{ name: 'quality', value, note: null },
  ...rest,
});

async function event(runId: RunId, seq: number, at: number, step: string, kind = 'tool.started') {
  await store.prisma.event.create({ data: { runId, seq, at, kind, path: 'lead', step, body: '{}' } });
}

const said = async (run: RunId) =>
  (await findScores(store, run)).map(({ author, name, value, note, span }) =>
    [author.split('@')[0], name, value, note, span?.seq]
      .filter((part) => part !== null)
      .join(' ')
      .trim(),
  );

test('an author has one score of a name, the newest, beside those of others and of other names', async () => {
  const run = await storedRun(store);
  const first = await saveScore(store, run, says(1, { note: 'Good' }), ann);
  await saveScore(store, run, says(0.5), bo);
  await saveScore(store, run, says(0.2, { name: 'tone' }), ann);
  const again = await saveScore(store, run, says(0), ann);
  expect(again).toMatchObject({ id: first.id, createdAt: first.createdAt, value: 0, note: null, span: null });
  expect(again.updatedAt).toBeGreaterThanOrEqual(first.updatedAt);
  expect(await said(run)).toEqual(['ann quality 0', 'bo quality 0.5', 'ann tone 0.2']);
});

test('the mean counts the values of the run itself, and goes with the last of them', async () => {
  const run = await storedRun(store);
  await event(run, 7, 1_000, 'lead#t1');
  const mean = async () => (await findRun(store, run)).score;
  await saveScore(store, run, says(null, { note: 'A note has no value.' }), bo);
  await saveScore(store, run, says(0, { span: 7 }), ann);
  expect(await mean()).toBeUndefined();
  const one = await saveScore(store, run, says(0.8), ann);
  const other = await saveScore(store, run, says(0.8, { name: 'tone' }), ann);
  await saveScore(store, run, says(0.8), bo);
  expect(await mean()).toEqual({ mean: 0.8, count: 3 });
  await saveScore(store, run, says(null, { note: 'I do not know.' }), bo);
  await deleteScore(store, run, one.id, ann, false);
  expect(await mean()).toEqual({ mean: 0.8, count: 1 });
  await deleteScore(store, run, other.id, ann, false);
  expect(await mean()).toBeUndefined();
  expect(await store.prisma.scoreMean.count({ where: { runId: run } })).toBe(0);
});

test('authors at the same time are all counted', async () => {
  const run = await storedRun(store);
  const authors = Array.from({ length: 8 }, (_, index) => by(`p${index}`));
  await Promise.all(authors.map((author, index) => saveScore(store, run, says(index < 4 ? 1 : 0), author)));
  expect((await findRun(store, run)).score).toEqual({ mean: 0.5, count: 8 });
});

test('a score is deleted by its author or by a person who may delete all scores', async () => {
  const run = await storedRun(store);
  const { id } = await saveScore(store, run, says(1), ann);
  await expect(deleteScore(store, run, id, bo, false)).rejects.toMatchObject({ code: 'not_allowed' });
  await expect(deleteScore(store, await storedRun(store), id, ann, true)).rejects.toMatchObject({ code: 'not_found' });
  await deleteScore(store, run, id, bo, true);
  await expect(deleteScore(store, run, id, ann, false)).rejects.toMatchObject({ code: 'not_found' });
});

test('a run or a span that is not there takes no score, and a run takes so many', async () => {
  const run = await storedRun(store);
  await event(run, 3, 1, 'lead#t1', 'tool.ended');
  const refused = (to: RunId, score: NewScore) => expect(saveScore(store, to, score, ann)).rejects;
  await refused(brandAs('none'), says(1)).toMatchObject({ code: 'not_found' });
  for (const span of [3, 4]) await refused(run, says(1, { span })).toMatchObject({ code: 'not_found' });
  await store.pool.query(
    `INSERT INTO "Score" (id, "runId", span, name, value, author, "authorName")
     SELECT gen_random_uuid(), $1, 0, 'n' || i, 1, 'x', 'x' FROM generate_series(1, $2::int) i`,
    [run, mostScoresOfRun],
  );
  await refused(run, says(1)).toMatchObject({ code: 'too_many' });
});

test('scores go with their run', async () => {
  const run = await storedRun(store);
  await saveScore(store, run, says(1), ann);
  await store.prisma.run.delete({ where: { id: run } });
  expect([await store.prisma.score.count({ where: { runId: run } }), await findScores(store, run)]).toEqual([0, []]);
});

test('scores follow their spans when the events of a run are replaced, also when two swap their numbers', async () => {
  const run = await storedRun(store);
  await event(run, 2, 1_000, 'lead#t1');
  await event(run, 3, 2_000, 'lead#t2');
  await event(run, 4, 3_000, 'lead#t3');
  for (const span of [2, 3, 4]) await saveScore(store, run, says(span / 10, { span }), ann);
  await saveScore(store, run, says(1), ann);
  const replaced = async (events: readonly (readonly [seq: number, at: number, step: string])[]) =>
    await transaction(store, async (client) => {
      await client.query('DELETE FROM "Event" WHERE "runId" = $1', [run]);
      for (const [seq, at, step] of events) {
        await client.query(
          `INSERT INTO "Event" ("runId", seq, at, kind, path, step, body) VALUES ($1, $2, $3, 'tool.started', 'lead', $4, '{}')`,
          [run, seq, at, step],
        );
      }
      await followSpans(client, run);
    });
  await replaced([
    [2, 2_000, 'lead#t1'],
    [3, 1_000, 'lead#t2'],
  ]);
  expect(await said(run)).toEqual(['ann quality 0.2 3', 'ann quality 0.3 2', 'ann quality 0.4', 'ann quality 1']);
  const [, , gone] = await findScores(store, run);
  expect(gone?.span).toEqual({ seq: null, kind: 'tool', path: 'lead' });
  await replaced([[9, 3_000, 'lead#t3']]);
  expect(await said(run)).toEqual(['ann quality 0.2', 'ann quality 0.3', 'ann quality 0.4 9', 'ann quality 1']);
});

test('of calls that began at one time, each score stays with its step, and none is given to another call', async () => {
  const run = await storedRun(store);
  await event(run, 2, 1_000, 'lead#t1');
  await event(run, 3, 1_000, 'lead#t2');
  for (const span of [2, 3]) await saveScore(store, run, says(span / 10, { span }), ann);
  const stepsNow = async (...steps: readonly string[]) => {
    await store.prisma.event.deleteMany({ where: { runId: run } });
    for (const [index, step] of steps.entries()) await event(run, 5 + index, 1_000, step);
    await transaction(store, (client) => followSpans(client, run));
    return await said(run);
  };
  expect(await stepsNow('lead#t2', 'lead#t3')).toEqual(['ann quality 0.2', 'ann quality 0.3 5']);
  expect(await stepsNow('lead#t2')).toEqual(['ann quality 0.2', 'ann quality 0.3 5']);
  expect(await stepsNow('lead#t3')).toEqual(['ann quality 0.2', 'ann quality 0.3']);
});

/** A run of a trace, and what gives scores to it. */
async function tracedRun() {
  const id = await storedRun(store);
  const { projectId, treeHash } = await store.prisma.run.findUniqueOrThrow({ where: { id } });
  const place = { id, projectId: brandAs<ProjectId>(projectId), treeHash: brandAs<TreeHash>(treeHash), source: 'test' };
  await addSpans(store, place, encodeSpans([{ spanId: 'a', body: '{}' }]));
  await store.prisma.run.update({ where: { id }, data: { status: 'completed' } });
  const given = (name: string, score: Partial<NewScore> = {}): GivenScore => ({
    ...{ id: name, author: 'judge\0', score: { name, value: 1, note: 'a\0b', ...score } },
  });
  const give = (...all: readonly GivenScore[]) => saveGivenScores(store, id, all);
  return { id, given, give };
}

test('a score of a trace is given once, so that one that was deleted stays away', async () => {
  const { id, given, give } = await tracedRun();
  await give(given('tone'), given('gone', { span: 7 }), given('quality'));
  const replaced = '\u{fffd}';
  expect(await said(id)).toEqual([`judge${replaced} quality 1 a${replaced}b`, `judge${replaced} tone 1 a${replaced}b`]);
  expect((await findRun(store, id)).score).toEqual({ mean: 1, count: 2 });
  const [, tone] = await findScores(store, id);
  await deleteScore(store, id, tone?.id ?? '', ann, true);
  await give(given('tone'), given('quality'), given('later'));
  expect((await findScores(store, id)).map(({ name }) => name)).toEqual(['quality', 'later']);
});

test('a run in the bin gets the scores of its trace, a full one gets no more, and one that is gone none', async () => {
  const { id, given, give } = await tracedRun();
  await binSomeRuns(store, { ids: [id], scope: 'all' }, { id: 'scored', by: 'local' });
  await give(given('tone'));
  await restoreSomeRuns(store, { runs: [id], scope: 'all' });
  expect((await findRun(store, id)).score).toEqual({ mean: 1, count: 1 });
  await give(...Array.from({ length: mostScoresOfRun + 1 }, (_, index) => given(`n${index}`)));
  expect(await store.prisma.score.count({ where: { runId: id } })).toBe(mostScoresOfRun);
  await store.prisma.run.delete({ where: { id } });
  await give(given('tone'));
  expect(await findScores(store, id)).toEqual([]);
});

test('a later import of a run keeps the scores of the calls that it still has', async () => {
  const { projectId, treeHash } = await store.prisma.run.findUniqueOrThrow({ where: { id: await storedRun(store) } });
  const id = brandAs<RunId>('imported-run');
  const place = { id, projectId: brandAs<ProjectId>(projectId), treeHash: brandAs<TreeHash>(treeHash), source: 'test' };
  const put = (...lanes: readonly string[]) =>
    putImportedRun(
      store,
      place,
      encodeRun({ source: 'test', correlationId: brandAs('c'), events: eventsOf(...lanes) }),
    );
  const seqOf = async (at: number) =>
    (await store.prisma.event.findFirstOrThrow({ where: { runId: id, kind: 'tool.started', at } })).seq;
  await put('lead 0-90: model 0-10, search 20-30, read 40-50');
  await saveScore(store, id, says(0.1, { span: await seqOf(20) }), ann);
  await saveScore(store, id, says(0.2, { span: await seqOf(40) }), ann);
  await saveScore(store, id, says(1), ann);
  const before = await seqOf(20);
  // A span that began earlier arrives late, so that all others have other numbers and steps.
  await put('lead 0-90: model 0-10, list 12-14, search 20-30, read 40-50');
  expect(await seqOf(20)).not.toBe(before);
  expect(await said(id)).toEqual([
    `ann quality 0.1 ${await seqOf(20)}`,
    `ann quality 0.2 ${await seqOf(40)}`,
    'ann quality 1',
  ]);
  expect((await findRun(store, id)).score).toEqual({ mean: 1, count: 1 });
});

test('runs are found by the means of their scores, by those of one name, and by having any', async () => {
  const runs = [await storedRun(store), await storedRun(store), await storedRun(store)];
  const [good, bad, none] = runs as [RunId, RunId, RunId];
  await store.prisma.run.updateMany({ where: { id: { in: runs } }, data: { source: 'scored' } });
  await saveScore(store, good, says(0.8), ann);
  await saveScore(store, bad, says(0.2), ann);
  await saveScore(store, bad, says(0.9, { name: 'tone' }), ann);
  const found = async (query: string) => {
    const where = conditionsOf(`source=scored&${query}`);
    const { groups } = await findRunPage(store, { scope: 'all', where, limit: 30 });
    const ids = groups.flatMap((group) => group.runs.map(({ id }) => id));
    return runs.map((run, index) => (ids.includes(run) ? ['good', 'bad', 'none'][index] : '')).filter(Boolean);
  };
  expect(await found('score.min=0.8')).toEqual(['good']);
  expect(await found('score.gt=0.8')).toEqual([]);
  expect(await found('score.lt=0.56')).toEqual(['bad']);
  expect(await found('score.gt=0.5')).toEqual(['good', 'bad']);
  expect(await found('score.lt=quality:0.5')).toEqual(['bad']);
  expect(await found('score.gt=tone:0.5')).toEqual(['bad']);
  expect(await found('score=tone')).toEqual(['bad']);
  expect(await found('score=any')).toEqual(['good', 'bad']);
  expect(await found('score=none')).toEqual(['none']);
  expect((await findRun(store, none)).score).toBeUndefined();
});
