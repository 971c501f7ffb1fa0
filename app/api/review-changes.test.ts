import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { GET } from '@/app/api/v1/projects/[project]/reviews/[review]/changes/route';
import type { ProjectId } from '@/lib/base/ids';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { cardText, reviewDesk } from '@/lib/testing/review-desk';
import { personInBrowser, scriptRequest, tokenFor, withTokens } from '@/lib/testing/token-people';

const { url, store } = await testDatabase();
withTokens(url);
const desk = reviewDesk(store);

let project: ProjectId;
let token: string;

beforeAll(async () => {
  project = await desk.project({ 'lead.md': cardText('lead', 'One.') });
  const reader = await personInBrowser(store, 'eva@review.example', { in: { [project]: 'viewer' } });
  token = await tokenFor(reader, ['read']);
});

async function changesOf(review: string) {
  const request = scriptRequest(`Bearer ${token}`, { method: 'GET', path: '/' });
  const response = await GET(request, { params: Promise.resolve({ project, review }) });
  return { status: response.status, body: z.record(z.string(), z.unknown()).parse(await response.json()) };
}

test('a script reads what a review changes: in power, part by part, and in its files', async () => {
  await desk.publish(localActor, project);
  await desk.write(project, 'lead.md', cardText('lead', 'One.', 'shell: true\n'));
  await desk.open(localActor, project);
  const { status, body } = await changesOf('1');
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(['against', 'capabilities', 'files', 'groups', 'moved']);
  expect(body).toMatchObject({
    against: 1,
    moved: null,
    capabilities: [{ kind: 'shell', weight: 'more', subject: { agent: 'lead' } }],
    groups: [
      {
        title: 'Agents',
        rows: [{ change: 'changed', words: 'lead', details: ['shell: false → true'], anchor: { kind: 'agent' } }],
      },
    ],
    files: [{ path: 'lead.md', change: 'changed', before: cardText('lead', 'One.') }],
  });
  expect((await changesOf('9')).status).toBe(404);
});

test('a script reads that live moved since the review was opened', async () => {
  const { draft } = await store.prisma.review.findFirstOrThrow({ where: { projectId: project } });
  await desk.write(project, 'lead.md', cardText('lead', 'Two.'), { draft });
  await desk.publish(localActor, project);
  expect((await changesOf('1')).body).toMatchObject({ against: 3, moved: { from: 1, files: ['lead.md'] } });
});
