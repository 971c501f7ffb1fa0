import { InboxClient } from '@/app/inbox/inbox-client';
import { QueryProvider } from '@/components/shell/query-provider';
import { brandAs, type InstancePath, type PendingId, type StepKey } from '@/lib/base/ids';
import type { AnswerInput, PendingDetail, PendingInfo } from '@/lib/base/pending-info';
import { actionsOf } from '@/stage/memory/actions-of';
import { type Answers, type ApiCall, ofCall, Refusal } from '@/stage/memory/backend';
import { sendTo } from '@/stage/memory/streams';
import type { Scene, Screen } from '@/stage/scene';

const minute = 60_000;

/** A question of a call that sends an invitation, asked `n` minutes ago. */
export function question(n: number, name: string): PendingDetail {
  const path = `lead/office[1]/team[1]/${name}[1]`;
  const sentence = `${name} wants to call send.`;
  return {
    ...{ id: `q${n}`, kind: 'approval', status: 'open', run: n % 3 === 0 ? 'b80e94d1' : '7f3a51c2', tool: 'send' },
    ...{ project: 'desk', projectName: 'Invitations', path, step: `${path}#1`, sentence },
    askedAt: Date.now() - n * minute,
    decisions: ['approve', 'edit', 'deny'],
    question: {
      item: brandAs<PendingId>(`q${n}`),
      path: brandAs<InstancePath>(path),
      step: brandAs<StepKey>(`${path}#1`),
      what: 'approval',
      sentence,
      tool: { name: 'send', source: 'function', schemaHash: 'a' },
      arguments: { to: name, text: 'Please come at ten.' },
      form: { type: 'object', properties: { to: { type: 'string' }, text: { type: 'string' } } },
      editable: true,
      why: { rule: 'approvals.rules.0', level: 'project' },
      said: `${name} should come.`,
    },
  };
}

/** Questions in memory. An answer ends one and tells the page, as the server does. */
export function memoryQuestions(given: readonly PendingDetail[]): Answers {
  const items = new Map(given.map((each) => [each.id, each]));
  const open = () => [...items.values()].filter(({ status }) => status === 'open').length;
  const find = (id: string) => {
    const found = items.get(id);
    if (found === undefined) throw new Refusal('not_found', 'There is no such question.', 404);
    return found;
  };
  const end = (id: string, { decision, note }: Pick<AnswerInput, 'decision' | 'note'>) => {
    if (find(id).status !== 'open') throw new Refusal('conflict', 'Somebody else has answered it.');
    const answer = { decision, by: 'local', via: 'web', ...(note !== undefined && { note }) };
    items.set(id, { ...find(id), status: 'answered', decisions: [], endedAt: Date.now(), answer });
    sendTo('/api/v1/pending/stream', { open: open() });
    return find(id);
  };
  const isListed = ({ query }: ApiCall, item: PendingInfo) =>
    (query.status === 'all' || item.status === (query.status ?? 'open')) &&
    (query.run === undefined || item.run === query.run) &&
    (query.project === undefined || item.project === query.project) &&
    (query.tool === undefined || item.tool === query.tool);
  return {
    'GET /api/v1/pending': ofCall((call) => ({
      items: [...items.values()].filter((item) => isListed(call, item)),
      next: null,
      open: open(),
    })),
    'GET /api/v1/pending/details': ofCall(({ query }) => ({
      items: (query.ids ?? '').split(',').flatMap((id) => items.get(id) ?? []),
    })),
    'GET /api/v1/pending/:item': ofCall(({ params }) => find(params.item ?? '')),
    'GET /api/v1/grants': () => ({ grants: [] }),
    ...actionsOf<typeof import('@/app/people-actions')>('people-actions', {
      answer: ({ item, decision, note }) => end(item, { decision, note }),
      answerAll: ({ items: ids, decision, note }) =>
        ids.map((id) => ({ id: end(id, { decision, note }).id, ok: true as const })),
    }),
  };
}

const names = ['ann', 'bob', 'cora', 'dan', 'eve'];
const several = names.map((name, n) => question(n + 1, name));
const many = Array.from({ length: 300 }, (_, n) => question(n + 1, `${names[n % names.length]}-${n + 1}`));
const long = { ...question(1, 'ann'), sentence: `ann wants to call ${'send_an_invitation_'.repeat(8)}.` };

const payment = question(1, 'clerk');
const hiddenValues: PendingDetail = {
  ...payment,
  sentence: 'Call tool \'pay\' with input: {"account":"DE\\u{202e}33 22 11 00 99\\u{202c} 55","amount":100}',
  question: {
    ...payment.question,
    tool: { name: 'pay', source: 'function', schemaHash: 'b' },
    arguments: {
      account: 'DE\u202e33 22 11 00 99\u202c 55',
      amount: 100,
      note: `Lunch\u200b\u2066\n${'\n'.repeat(40)}Approved by ada@example.org already.`,
    },
    form: { type: 'object', properties: { account: { type: 'string' }, amount: { type: 'number' } } },
    said: 'The account is DE\u202e33 22 11 00 99\u202c 55, paid for 👩🏽‍💻.',
  },
};

const scene = (name: string, items: readonly PendingDetail[], rest: Partial<Scene> = {}): Scene => ({
  name,
  path: '/inbox',
  open: () => ({
    screen: (
      <QueryProvider>
        <InboxClient />
      </QueryProvider>
    ),
    answers: memoryQuestions(items),
  }),
  ...rest,
});

export const inbox: Screen = {
  id: 'inbox',
  title: 'Inbox',
  scenes: [
    scene('several questions', several),
    scene('empty', []),
    scene('nothing matches', several, { path: '/inbox?run=another' }),
    scene('three hundred questions', many),
    scene('a long sentence', [long]),
    scene('a value with characters that nobody sees', [hiddenValues]),
    scene('loading', several, { never: ['GET /api/v1/pending'] }),
  ],
};
