import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { cardText, memberOf, reviewDesk } from '@/lib/testing/review-desk';
import { addVersion, getReview } from './reviews';

const { url, store } = await testDatabase();
const desk = reviewDesk(store);

beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
});
afterAll(() => vi.unstubAllEnvs());

test('owners of an agent are asked about its hooks, approvals and servers, not about other agents', async () => {
  const hooks = 'export function audit(ctx, args, next) {\n  return next(args);\n}\n';
  const config = 'mcp:\n  servers:\n    mail: { url: "https://mail.example.org/mcp" }\n';
  const id = await desk.project({
    'lead.md': cardText('lead', 'One.', 'tool_hooks: [hooks.ts:audit]\nservers: [mail]\n'),
    'writer.md': cardText('writer', 'Write.'),
    'hooks.ts': hooks,
    'fast-agent.yaml': config,
    'callboard.yaml': 'version: 1\nentry: lead\n',
  });
  await desk.publish(localActor, id);
  await desk.demand(id, { owners: [{ pattern: 'agent:lead', people: ['cid@x.org'] }] });
  const missing = async (review: number) => (await getReview(localActor, id, review)).missing;
  await desk.write(id, 'writer.md', cardText('writer', 'Write more.'));
  const review = await desk.open(memberOf(id, 'Ann', 'editor'), id);
  expect(await missing(review)).toEqual([]);
  const asked = ["The agent 'lead' needs the approval of cid@x.org."];
  const changes = [
    ['hooks.ts', hooks.replace('next(args)', 'next({})'), hooks],
    ['callboard.yaml', 'version: 1\nentry: lead\napprovals:\n  agents: { lead: ask }\n', 'version: 1\nentry: lead\n'],
    ['fast-agent.yaml', config.replace('mail.example', 'post.example'), config],
  ] as const;
  for (const [path, text, before] of changes) {
    await desk.write(id, path, text);
    await addVersion(localActor, id, review, '');
    expect(await missing(review)).toEqual(asked);
    await desk.write(id, path, before);
    await addVersion(localActor, id, review, '');
    expect(await missing(review)).toEqual([]);
  }
});
