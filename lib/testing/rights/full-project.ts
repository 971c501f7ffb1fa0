import { createHash, randomUUID } from 'node:crypto';
import { brandAs, type PendingId, type ProjectId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { systemClock } from '@/lib/jobs/system-clock';
import type { Store } from '@/lib/store/database';
import { createEventWriter } from '@/lib/store/event-writer';
import { storedItem } from '@/lib/testing/stored-item';
import { finished, logged, storedRun, taken } from '@/lib/testing/stored-run';

/** A project with one of everything that an id names. Each text of it has `mark`. */
export interface FullProject {
  readonly mark: string;
  readonly project: ProjectId;
  /** It has ended. */
  readonly run: RunId;
  /** It is suspended, and asks. */
  readonly asking: RunId;
  readonly item: PendingId;
  readonly grant: string;
  readonly task: string;
  readonly conversation: string;
  readonly pin: string;
  readonly target: string;
  /** The SHA-256 of the bytes of a file. */
  readonly hash: string;
}

const bytes = Buffer.from([0, 1, 2, 255]);
const card = '---\nname: lead\nmodel: passthrough\ndefault: true\n---\nLead.\n';

/** Stores a project with a run that has ended, one that asks, and one of everything else. */
export async function fullProject(store: Store): Promise<FullProject> {
  const mark = `mark-${randomUUID().slice(0, 8)}`;
  const run = await endedRun(store, mark);
  const { projectId, treeHash } = await store.prisma.run.findUniqueOrThrow({ where: { id: run } });
  await store.prisma.project.update({ where: { id: projectId }, data: { name: mark } });
  const common = { projectId, treeHash, correlationId: mark, message: JSON.stringify(mark) };
  const asking = brandAs<RunId>(randomUUID());
  await store.prisma.run.create({ data: { ...common, id: asking, status: 'suspended', lastSeq: 1 } });
  const item = await storedItem(store, asking, { sentence: mark });
  const [grant, task, conversation, pin, target] = [
    randomUUID(),
    randomUUID(),
    randomUUID(),
    randomUUID(),
    randomUUID(),
  ] as const;
  const given = { tool: mark, schemaHash: 's', by: 'local', correlationId: mark, runId: asking };
  const answer = JSON.stringify({ outcome: 'cancelled', mark });
  const webhook = { kind: 'webhook', address: `https://${mark}.example.org/`, secret: 'x' };
  const session = { owner: 'a > b', version: 1, writer: 'w', content: '{"history":[],"state":{}}' };
  const secret = { name: 'OPENAI_API_KEY', keyId: 'k', sealed: 's', hosts: [], by: 'local' };
  await store.prisma.$transaction([
    store.prisma.grant.create({ data: { id: grant, projectId, scope: 'project', ...given } }),
    store.prisma.task.create({ data: { id: task, projectId, treeHash, request: '{}', status: 'ended', answer } }),
    store.prisma.conversation.create({ data: { id: conversation, projectId, agent: 'lead', title: mark } }),
    store.prisma.pin.create({
      data: {
        id: pin,
        projectId,
        agentName: 'lead',
        tool: mark,
        runId: run,
        seq: 1,
        result: '{"content":[],"isError":false}',
      },
    }),
    store.prisma.score.create({
      data: {
        id: randomUUID(),
        runId: run,
        span: 0,
        name: 'quality',
        value: 1,
        note: mark,
        author: 'local',
        authorName: mark,
      },
    }),
    store.prisma.notifyTarget.create({ data: { id: target, projectId, ...webhook } }),
    store.prisma.session.create({ data: { projectId, id: mark, ...session } }),
    store.prisma.secret.create({ data: { id: randomUUID(), projectId, ...secret } }),
  ]);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return {
    mark,
    project: brandAs<ProjectId>(projectId),
    run,
    asking,
    item,
    grant,
    task,
    conversation,
    pin,
    target,
    hash,
  };
}

async function endedRun(store: Store, mark: string): Promise<RunId> {
  const folder = new Map([...folderOf({ 'agent-cards/lead.md': card }), ['a.bin', { kind: 'binary' as const, bytes }]]);
  const run = await storedRun(store, folder);
  const { epoch } = await taken(store, run, 'w');
  const options = { startSeq: 0, epoch, clock: systemClock, onLost: () => undefined, batchMs: 0 };
  const writer = createEventWriter(store, run, options);
  for (const body of [logged(mark), finished]) writer.append(body);
  await writer.flush();
  writer.close();
  return run;
}

const named = ['project', 'run', 'asking', 'item', 'grant', 'task', 'conversation', 'pin', 'target'] as const;

/** The same with ids that name nothing. */
export function missingProject(full: FullProject): FullProject {
  return { ...full, ...Object.fromEntries(named.map((key) => [key, randomUUID()])) };
}
