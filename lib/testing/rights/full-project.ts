import { createHash, randomUUID } from 'node:crypto';
import { brandAs, type PendingId, type ProjectId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { systemClock } from '@/lib/jobs/system-clock';
import type { EventBody } from '@/lib/runtime/record/events';
import { appendAudit } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import { createEventWriter } from '@/lib/store/event-writer';
import { binSomeRuns } from '@/lib/store/run-bin';
import { eventsOf } from '@/lib/testing/events-of';
import { storedItem } from '@/lib/testing/stored-item';
import { logged, storedRun, taken } from '@/lib/testing/stored-run';
import { ann, type ReviewedParts, reviewedParts } from './reviewed-parts';

const local = { by: 'local', via: 'web' };
const cardPath = 'agent-cards/lead.md';
const card = '---\nname: lead\nmodel: passthrough\ndefault: true\n---\nLead.\n';

/**
 * A project with one of everything that an id, a number or a name tells apart. Each text of it has `mark`. No two full projects have the
 * same number or name, so that one of another project finds nothing in this one.
 */
export interface FullProject extends ReviewedParts {
  readonly mark: string;
  readonly project: ProjectId;
  /** It has ended. Two of its events start a call of a model and one of a tool. */
  readonly run: RunId;
  readonly modelCall: number;
  readonly toolCall: number;
  /** It is suspended, and asks. */
  readonly asking: RunId;
  readonly item: PendingId;
  readonly grant: string;
  readonly task: string;
  readonly conversation: string;
  readonly pin: string;
  readonly target: string;
  readonly alert: string;
  /** The SHA-256 of the bytes of a file. */
  readonly hash: string;
  /** A webhook. */
  /** A run in the bin, and what put it there. */
  readonly binned: RunId;
  readonly deletion: string;
  readonly trigger: string;
  readonly score: string;
  readonly share: string;
  readonly invitation: string;
  /** At an MCP server. */
  readonly signIn: string;
  /** The account of a viewer. */
  readonly member: string;
  /** The names of a rule and of a secret. */
  readonly rule: string;
  readonly secret: string;
}

/** Stores a project with a run that has ended, one that asks, and one of everything else. */
export async function fullProject(store: Store): Promise<FullProject> {
  const mark = `mark-${randomUUID().slice(0, 8)}`;
  const bytes = Buffer.concat([Buffer.from([0, 1, 2, 255]), Buffer.from(mark)]);
  const ended = await endedRun(store, mark, bytes);
  const { run } = ended;
  const { projectId, treeHash } = await store.prisma.run.findUniqueOrThrow({ where: { id: run } });
  const project = brandAs<ProjectId>(projectId);
  await store.prisma.project.update({ where: { id: projectId }, data: { name: mark } });
  const common = { projectId, treeHash, correlationId: mark, message: JSON.stringify(mark) };
  const asking = brandAs<RunId>(randomUUID());
  await store.prisma.run.create({
    data: { ...common, id: asking, correlationId: asking, status: 'suspended', lastSeq: 1 },
  });
  const item = await storedItem(store, asking, { sentence: mark });
  const [binned, deletion] = [brandAs<RunId>(randomUUID()), randomUUID()];
  await store.prisma.run.create({ data: { ...common, id: binned, status: 'completed' } });
  await binSomeRuns(store, { ids: [binned], scope: 'all' }, { id: deletion, by: 'local' });
  const reviewed = await reviewedParts(store, { project, tree: treeHash, mark, file: cardPath });
  const hash = createHash('sha256').update(bytes).digest('hex');
  const full = { ...{ mark, project, asking, item, hash, binned, deletion }, ...ended, ...newIds(), ...reviewed };
  await storeRest(store, full, treeHash);
  await appendAudit(store.pool, { actor: local, action: 'policy.set', object: mark, project, body: {} });
  return full;
}

function newIds() {
  const [grant, task, conversation, pin, target, trigger, score, share, invitation, signIn, member, alert] = [
    ...[randomUUID(), randomUUID(), randomUUID(), randomUUID(), randomUUID(), randomUUID()],
    ...[randomUUID(), randomUUID(), randomUUID(), randomUUID(), randomUUID(), randomUUID()],
  ] as const;
  return {
    grant,
    task,
    conversation,
    pin,
    target,
    trigger,
    score,
    share,
    invitation,
    signIn,
    member,
    alert,
    ...newNames(),
  };
}

/** Shorter than ids, because the names of variables and rules are. */
function newNames() {
  const word = randomUUID().slice(0, 8);
  return { rule: `rule-${word}`, secret: `KEY_${word.toUpperCase()}` };
}

async function storeRest(store: Store, full: FullProject, treeHash: string): Promise<void> {
  const { mark, project: projectId, run, grant, task, conversation, pin, target, alert } = full;
  const given = { tool: mark, schemaHash: 's', by: 'local', correlationId: mark, runId: full.asking };
  const answer = JSON.stringify({ outcome: 'cancelled', mark });
  const alertLine = { figure: 'errorRate', kind: 'agent', threshold: 0.5, hours: 24, least: 10 };
  const webhook = { kind: 'webhook', address: `https://${mark}.example.org/`, secret: 'x' };
  const session = { owner: 'a > b', version: 1, writer: 'w', content: '{"history":[],"state":{}}' };
  const result = '{"content":[],"isError":false}';
  const pinned = { agentName: 'lead', tool: mark, runId: run, seq: 1, result };
  const place = { page: 'editor', selected: [] };
  // Else somebody who sends nothing is gone while tests go on.
  const inAnHour = new Date(Date.now() + 3_600_000);
  const { prisma } = store;
  await prisma.$transaction([
    prisma.grant.create({ data: { id: grant, projectId, scope: 'project', ...given } }),
    prisma.task.create({ data: { id: task, projectId, treeHash, request: '{}', status: 'ended', answer } }),
    prisma.conversation.create({ data: { id: conversation, projectId, agent: 'lead', title: mark } }),
    prisma.pin.create({ data: { id: pin, projectId, ...pinned } }),
    prisma.alert.create({ data: { id: alert, projectId, ...alertLine, name: mark, by: 'local' } }),
    prisma.notifyTarget.create({ data: { id: target, projectId, ...webhook } }),
    prisma.session.create({ data: { projectId, id: mark, ...session } }),
    prisma.presence.create({
      data: { projectId, by: mailOf(full), window: 'w', draft: 'main', place, seenAt: inAnHour },
    }),
    ...settingsOf(store, full),
    ...commandOf(store, full),
    ...peopleOf(store, full),
  ]);
}

function commandOf({ prisma }: Store, { mark, project: projectId }: FullProject) {
  const command = {
    kind: 'stdio',
    name: mark,
    command: mark,
    status: 'asked',
    by: 'local',
    files: [],
    moreFiles: 0,
    args: [],
    environment: [],
  };
  const use = { name: mark, usedBy: [mark], file: 'fast-agent.yaml', line: 1 };
  return [
    prisma.commandApproval.create({ data: { id: mark, ...command } }),
    prisma.commandUse.create({ data: { commandId: mark, projectId, ...use } }),
  ];
}

const seal = { keyId: 'k', sealed: 's', hosts: [], by: 'local' };

function settingsOf({ prisma }: Store, { mark, project: projectId, trigger, rule, secret, signIn }: FullProject) {
  const hook = { kind: 'webhook', name: mark, label: 'live', message: 'Go', secret: 'sealed', by: 'local' };
  const address = `https://${mark}.example.org/mcp`;
  const at = { server: 'mail', address, provider: mark, sealed: '', by: 'local' };
  return [
    prisma.trigger.create({ data: { id: trigger, projectId, ...hook } }),
    prisma.policyRule.create({
      data: { id: randomUUID(), projectId, name: rule, level: 'warn', demand: { kind: 'no_shell' }, by: 'local' },
    }),
    prisma.secret.create({ data: { id: randomUUID(), projectId, name: secret, ...seal } }),
    prisma.secret.create({ data: { id: randomUUID(), projectId, name: 'OPENAI_API_KEY', ...seal } }),
    prisma.mcpSignIn.create({ data: { id: signIn, projectId, ...at } }),
    prisma.mirror.create({
      data: { projectId, url: `https://git.example.org/${mark}.git`, userName: 'git', secret, by: 'local' },
    }),
  ];
}

/** That of the viewer. */
function mailOf({ mark }: FullProject): string {
  return `${mark}@people.example`;
}

function peopleOf({ prisma }: Store, full: FullProject) {
  const { mark, project: projectId, run, score, share, invitation, member } = full;
  const tomorrow = new Date(Date.now() + 24 * 3_600_000);
  const said = { name: 'quality', value: 1, note: mark, author: ann, authorName: mark };
  const token = () => createHash('sha256').update(randomUUID()).digest('hex');
  const link = { prefix: 'cbs_12345678', tokenHash: token(), texts: true, by: 'local', expiresAt: tomorrow };
  const invited = { role: 'viewer', tokenHash: token(), invitedBy: 'local', expiresAt: tomorrow };
  return [
    prisma.score.create({ data: { id: score, runId: run, span: 0, ...said } }),
    prisma.shareLink.create({ data: { id: share, runId: run, ...link } }),
    prisma.invitation.create({ data: { id: invitation, projectId, email: `${mark}@example.org`, ...invited } }),
    prisma.authUser.create({ data: { id: member, name: mark, email: mailOf(full) } }),
    prisma.member.create({ data: { projectId, userId: member, role: 'viewer', answers: false, addedBy: 'local' } }),
  ];
}

type Ended = Pick<FullProject, 'run' | 'modelCall' | 'toolCall'>;

/** A log without its times. */
const recorded = eventsOf('lead 0-90: model 0-10, time__now 12-20').map(
  ({ seq: _, at: _at, ...body }): EventBody => body,
);

async function endedRun(store: Store, mark: string, bytes: Uint8Array<ArrayBuffer>): Promise<Ended> {
  const bodies = [logged(mark), ...recorded];
  const startOf = (kind: EventBody['kind']) => bodies.findIndex((body) => body.kind === kind) + 1;
  const folder = new Map([...folderOf({ [cardPath]: card }), ['a.bin', { kind: 'binary' as const, bytes }]]);
  const run = await storedRun(store, folder);
  const { epoch } = await taken(store, run, 'w');
  const options = { startSeq: 0, epoch, clock: systemClock, onLost: () => undefined, batchMs: 0 };
  const writer = createEventWriter(store, run, options);
  for (const body of bodies) writer.append(body);
  await writer.flush();
  writer.close();
  return { run, modelCall: startOf('model.started'), toolCall: startOf('tool.started') };
}

/** What tells the things of a project apart, without the project itself. */
export const namedParts = [
  ...['run', 'asking', 'item', 'grant', 'task', 'conversation', 'pin', 'target', 'alert', 'hash', 'trigger', 'score'],
  ...['share', 'invitation', 'signIn', 'member', 'rule', 'secret', 'draft', 'revision', 'review', 'thread', 'comment'],
] as const satisfies readonly (keyof FullProject)[];

/** Returns the same project with ids, numbers and names of `parts` that nothing has. */
export function withoutParts(full: FullProject, parts: readonly (keyof FullProject)[]): FullProject {
  return { ...full, ...Object.fromEntries(parts.map((part) => [part, nothingLike(part)])) };
}

function nothingLike(part: keyof FullProject): string | number {
  if (part === 'revision' || part === 'review') return 2_000_000_000;
  if (part === 'secret') return newNames().secret;
  return part === 'hash' ? createHash('sha256').update(randomUUID()).digest('hex') : randomUUID();
}

/** The same with a project and things that do not exist. */
export function missingProject(full: FullProject): FullProject {
  return withoutParts(full, ['project', ...namedParts]);
}
