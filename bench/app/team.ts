import { randomUUID } from 'node:crypto';
import { localActor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { openStore, type Store } from '@/lib/store/database';
import { findProject, insertProject, saveDraft } from '@/lib/store/projects';
import { moveLabel } from '@/lib/store/releases';
import { quantile } from '../figures';
import { createProject, send, timeOf } from './client';
import { type BenchServer, startBenchServer } from './server';

const projects = 100;
const revisions = 200;
const reviewedCards = 200;
const rounds = 30;
const limits = { files: 1_000, totalBytes: 50_000_000 };

/** Measures the pages of a project among many with many revisions, and the page of a large review. */
export async function benchTeam(): Promise<void> {
  const server = await startBenchServer({ workers: 1, modelUrl: 'http://127.0.0.1:9/v1' });
  const store = openStore(server.databaseUrl);
  try {
    const first = await published(store);
    for (let copy = 1; copy < projects; copy += 1) await copied(store, first, copy);
    await store.pool.query('ANALYZE');
    for (const page of ['', '/revisions', '/reviews', '/tests']) await measure(server, `/p/${first}${page}`, 300);
    await measure(server, '/', 300);
    const reviewed = await openReview(server);
    await measure(server, `/p/${reviewed}/reviews/1`, 1_000);
  } finally {
    await store.close();
    await server.stop();
  }
}

async function measure(server: BenchServer, page: string, goalMs: number): Promise<void> {
  const first = await timeOf(server, page);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timeOf(server, page));
  const [half, most] = [quantile(times, 0.5).toFixed(0), quantile(times, 0.95).toFixed(0)];
  const name = page.replace(/[0-9a-f-]{36}/, 'ID');
  console.log(
    `  ${name.padEnd(20)} first ${first.toFixed(0)} ms, then p50 ${half} ms, p95 ${most} ms (goal ≤ ${goalMs} ms)`,
  );
}

/** A project whose revisions were all live, each with one card changed. */
async function published(store: Store): Promise<ProjectId> {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`agent-cards/a${at}.md`, card(at, 0)]));
  const id = await insertProject(store, 'Team 0', folderOf(files), { origin: 'blank' });
  const actor = localActor('api');
  for (let at = 0; at < revisions; at += 1) {
    const changes = [
      { path: `agent-cards/a${at % 20}.md`, file: { kind: 'text', text: card(at % 20, at + 1) } as const },
    ];
    await saveDraft(store, id, { baseVersion: at + 1, changes, limits });
    const { treeHash } = await findProject(store, id);
    const snapshot = { treeHash, closure: { hash: treeHash, parts: [] }, listed: {} };
    const to = { draft: 'main', snapshot, message: `Change ${at}` };
    await moveLabel(store, id, { label: 'live', kind: 'publish', to, reason: '', overrode: [] }, actor);
  }
  return id;
}

/** Copies the rows of a project with its revisions and releases. */
async function copied(store: Store, from: ProjectId, copy: number): Promise<void> {
  const id = randomUUID();
  const rename = (table: string, columns: Readonly<Record<string, string>>) =>
    store.pool.query(
      `INSERT INTO "${table}" SELECT (jsonb_populate_record(t, to_jsonb(t) || jsonb_build_object(${Object.entries(
        columns,
      )
        .map(([column, value]) => `'${column}', ${value}`)
        .join(', ')}))).* FROM "${table}" t WHERE t.${table === 'Project' ? 'id' : '"projectId"'} = $1`,
      [from],
    );
  await rename('Project', { id: `'${id}'`, name: `'Team ${copy}'`, liveId: 'NULL' });
  await rename('Revision', {
    id: `t.id || '-${copy}'`,
    projectId: `'${id}'`,
    parentId: `CASE WHEN t."parentId" IS NULL THEN NULL ELSE t."parentId" || '-${copy}' END`,
  });
  await rename('Draft', {
    projectId: `'${id}'`,
    baseId: `CASE WHEN t."baseId" IS NULL THEN NULL ELSE t."baseId" || '-${copy}' END`,
  });
  await rename('Release', {
    id: `t.id || '-${copy}'`,
    projectId: `'${id}'`,
    revisionId: `t."revisionId" || '-${copy}'`,
  });
  await store.pool.query(
    `UPDATE "Project" SET "liveId" = (SELECT "liveId" FROM "Project" WHERE id = $1) || $3 WHERE id = $2`,
    [from, id, `-${copy}`],
  );
}

/** Opens a review in which every card of a large project is changed. */
async function openReview(server: BenchServer): Promise<string> {
  const files = (change: number) =>
    Object.fromEntries(
      Array.from({ length: reviewedCards }, (_, at) => [`agent-cards/a${at}.md`, card(at, change)] as const),
    );
  const id = await createProject(server, 'Reviewed', files(0));
  await send(server, `/api/v1/projects/${id}/releases`, { note: 'First' });
  const changes = Object.entries(files(1)).map(([path, text]) => ({ path, text }));
  await send(server, `/api/v1/projects/${id}/files`, { baseVersion: 1, changes }, 'PATCH');
  await send(server, `/api/v1/projects/${id}/reviews`, { draft: 'main', title: 'All of it' });
  return id;
}

function card(at: number, change: number): string {
  const child = at > 0 ? `agents: [a${at - 1}]\n` : '';
  const lines = Array.from({ length: 40 }, (_, line) => `Rule ${line} of agent ${at}, after change ${change}.`);
  return `---\nname: a${at}\nmodel: passthrough\n${child}---\n${lines.join('\n')}\n`;
}
