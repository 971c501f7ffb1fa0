import { noBudget, noRunLimits } from '@/lib/base/limits';
import type { Decided } from './decisions';
import type { FullProject } from './full-project';

const read = { action: 'run.read', of: 'run' } as const;
const texts = { action: 'run.texts', of: 'run' } as const;
const project = { action: 'project.read', of: 'project' } as const;
const inProject = ({ project: id }: FullProject) => `?project=${id}`;
const files = { 'a.md': 'a' };

/** What each route of the HTTP API decides, by method and address. Every route has a row here, or a test fails. */
export const routeDecisions: Readonly<Record<string, Decided>> = {
  'GET /answer/[link]': { action: 'item.read', of: 'open' },
  'POST /answer/[link]': { action: 'item.answer', of: 'open' },
  'GET /api/health': { action: 'installation.use', of: 'open' },
  'POST /api/v1/logins': { action: 'installation.use', of: 'open' },
  'POST /api/v1/logins/token': { action: 'installation.use', of: 'open' },
  'POST /sign-in': { action: 'installation.use', of: 'open' },
  'GET /sign-in': { action: 'installation.use', of: 'open' },
  'GET /sign-in/code': { action: 'installation.use', of: 'open' },
  'POST /sign-in/code': { action: 'installation.use', of: 'open' },
  'POST /sign-in/passkey': { action: 'installation.use', of: 'open' },
  'POST /sign-in/provider': { action: 'installation.use', of: 'open' },
  'POST /sign-out': { action: 'installation.use', of: 'open' },
  'GET /setup': { action: 'installation.use', of: 'open' },
  'POST /setup': { action: 'installation.use', of: 'open' },
  'GET /invite': { action: 'installation.use', of: 'open' },
  'POST /invite': { action: 'installation.use', of: 'open' },
  'GET /reset': { action: 'installation.use', of: 'open' },
  'POST /reset': { action: 'installation.use', of: 'open' },
  'GET /api/auth/callback/oidc': { action: 'installation.use', of: 'open' },
  'GET /api/v1/audit': { action: 'audit.read', of: 'project', query: inProject },
  'GET /api/v1/audit/export': { action: 'audit.read', of: 'installation' },
  'GET /api/v1/commands': { action: 'installation.commands', of: 'installation' },
  'POST /api/v1/commands/[command]': {
    action: 'installation.commands',
    of: 'installation',
    input: () => ({ decision: 'approve' }),
    misses: true,
  },
  'GET /git/[project]/info/refs': {
    action: 'project.export',
    of: 'project',
    query: () => '?service=git-upload-pack',
  },
  'POST /git/[project]/git-upload-pack': { action: 'project.export', of: 'project', input: () => 'no lines' },
  'POST /git/[project]/git-receive-pack': { action: 'project.edit', of: 'project', input: () => 'no lines' },
  'GET /oauth/mcp/start': { action: 'installation.use', of: 'installation', misses: true },
  'GET /oauth/mcp/callback': { action: 'installation.use', of: 'installation', misses: true },
  'POST /api/v1/check': { action: 'installation.use', of: 'installation', input: () => ({ files }) },
  'GET /api/v1/grants': { action: 'item.read', of: 'list' },
  'DELETE /api/v1/grants/[grant]': { action: 'grant.revoke', of: 'grant', ends: true },
  'POST /api/v1/imports': {
    action: 'run.import',
    of: 'project',
    query: inProject,
    input: ({ mark }) => ({ files: { 'trajectory.json': atif(mark) } }),
  },
  'GET /api/v1/limits': { action: 'settings.change', of: 'list' },
  'PUT /api/v1/limits': {
    action: 'settings.change',
    of: 'installation',
    input: () => ({ runs: noRunLimits, budget: noBudget }),
  },
  'GET /api/v1/policy': { action: 'project.read', of: 'project', query: inProject },
  'PUT /api/v1/policy/[name]': {
    action: 'policy.set',
    of: 'project',
    query: inProject,
    input: () => ({ level: 'warn', demand: { kind: 'no_shell' } }),
  },
  'DELETE /api/v1/policy/[name]': {
    action: 'policy.set',
    of: 'project',
    query: inProject,
    input: () => ({}),
    misses: true,
  },
  'GET /api/v1/pending': { action: 'item.read', of: 'list' },
  'GET /api/v1/pending/[item]': { action: 'item.read', of: 'item' },
  'POST /api/v1/pending/[item]/answer': {
    action: 'item.answer',
    of: 'item',
    input: () => ({ decision: 'approve' }),
    ends: true,
  },
  'POST /api/v1/pending/answers': {
    action: 'item.answer',
    of: 'list',
    input: ({ item }) => ({ answers: [{ id: item, decision: 'approve' }] }),
    ends: true,
  },
  'GET /api/v1/pending/details': { action: 'item.read', of: 'list', query: ({ item }) => `?ids=${item}` },
  'GET /api/v1/pending/stream': { action: 'item.read', of: 'list' },
  'GET /api/v1/projects': { action: 'project.read', of: 'list' },
  'POST /api/v1/projects': { action: 'project.create', of: 'installation', input: () => ({ name: 'New', files }) },
  'GET /api/v1/projects/[project]': project,
  'PATCH /api/v1/projects/[project]': { action: 'project.edit', of: 'project', input: ({ mark }) => ({ name: mark }) },
  'DELETE /api/v1/projects/[project]': { action: 'project.delete', of: 'project', ends: true },
  'POST /api/v1/projects/[project]/a2a': {
    action: 'project.read',
    of: 'project',
    input: () => ({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'none' } }),
  },
  'GET /api/v1/projects/[project]/a2a/.well-known/agent-card.json': project,
  'GET /api/v1/projects/[project]/budget': project,
  'PUT /api/v1/projects/[project]/budget': {
    action: 'settings.change',
    of: 'project',
    input: () => noBudget,
    ends: true,
  },
  'DELETE /api/v1/projects/[project]/budget': { action: 'settings.change', of: 'project', ends: true },
  'POST /api/v1/projects/[project]/bytes': { action: 'project.edit', of: 'project', input: () => 'bytes' },
  'GET /api/v1/projects/[project]/bytes/[hash]': project,
  'POST /api/v1/projects/[project]/commands': { action: 'run.start', of: 'project', input: () => ({}) },
  'GET /api/v1/projects/[project]/conversations': project,
  'GET /api/v1/projects/[project]/conversations/[conversation]': project,
  'DELETE /api/v1/projects/[project]/conversations/[conversation]': {
    action: 'conversation.delete',
    of: 'project',
    ends: true,
  },
  'POST /api/v1/projects/[project]/copy': { ...project, also: 'project.create' },
  'GET /api/v1/projects/[project]/bundle': { action: 'project.export', of: 'project' },
  'GET /api/v1/projects/[project]/files': project,
  'PATCH /api/v1/projects/[project]/files': {
    action: 'project.edit',
    of: 'project',
    input: ({ mark }) => ({ baseVersion: 1, changes: [{ path: 'note.md', text: mark }] }),
    ends: true,
  },
  'GET /api/v1/projects/[project]/hook-changes': { ...project, query: () => '?hook=x' },
  'GET /api/v1/projects/[project]/pins': project,
  'POST /api/v1/projects/[project]/pins': {
    action: 'project.edit',
    of: 'project',
    input: ({ run }) => ({ run, seq: 1 }),
  },
  'DELETE /api/v1/projects/[project]/pins/[pin]': { action: 'project.edit', of: 'project', ends: true },
  'POST /api/v1/projects/[project]/runs': { action: 'run.start', of: 'project', input: () => ({ message: 'Go' }) },
  'GET /api/v1/projects/[project]/servers': project,
  'GET /api/v1/projects/[project]/sessions': project,
  'GET /api/v1/projects/[project]/trust': project,
  'POST /api/v1/projects/[project]/trust': {
    action: 'project.trust',
    of: 'project',
    input: () => ({ hash: '0'.repeat(64) }),
  },
  'GET /api/v1/runs': { action: 'run.read', of: 'list' },
  'DELETE /api/v1/runs': { action: 'run.delete', of: 'list', query: inProject },
  'GET /api/v1/runs/chart': { action: 'run.read', of: 'list' },
  'GET /api/v1/runs/export': { action: 'run.texts', of: 'list', query: () => '?format=json' },
  'GET /api/v1/runs/names': { action: 'run.read', of: 'list', query: () => '?field=agent' },
  'GET /api/v1/runs/[run]': read,
  'DELETE /api/v1/runs/[run]': { action: 'run.delete', of: 'run', ends: true },
  'GET /api/v1/runs/[run]/again': { ...texts, query: () => '?at=1' },
  'GET /api/v1/runs/[run]/calls/[seq]': texts,
  'GET /api/v1/runs/[run]/changes': { ...texts, query: ({ asking }) => `?to=${asking}` },
  'GET /api/v1/runs/[run]/digests': read,
  'GET /api/v1/runs/[run]/events': texts,
  'GET /api/v1/runs/[run]/events/[seq]': texts,
  'GET /api/v1/runs/[run]/export': { ...texts, query: () => '?as=events' },
  'GET /api/v1/runs/[run]/graph': texts,
  'GET /api/v1/runs/[run]/model-calls/[seq]': texts,
  'GET /api/v1/runs/[run]/otlp': texts,
  'GET /api/v1/runs/[run]/search': { ...texts, query: () => '?text=mark' },
  'POST /api/v1/runs/[run]/stop': { action: 'run.stop', of: 'run' },
  'GET /api/v1/runs/[run]/surface': { ...texts, query: () => '?instance=lead' },
  'GET /api/v1/runs/[run]/timeline': read,
  'GET /api/v1/runs/[run]/versions': { ...read, query: () => '?after=0' },
  'GET /api/v1/samples': { action: 'installation.use', of: 'installation' },
  'POST /api/v1/samples/[sample]': { action: 'project.create', of: 'installation', input: () => ({}) },
  'GET /api/v1/secrets': { action: 'secrets.set', of: 'project', query: inProject },
  'PUT /api/v1/secrets/[name]': {
    action: 'secrets.set',
    of: 'project',
    query: inProject,
    input: () => ({ value: 'a-value-of-some-length' }),
  },
  'DELETE /api/v1/secrets/[name]': { action: 'secrets.set', of: 'project', query: inProject, ends: true },
  'POST /api/v1/secrets/[name]/test': { action: 'secrets.set', of: 'project', query: inProject, input: () => ({}) },
  'GET /api/v1/tokens': { action: 'installation.use', of: 'installation' },
  'DELETE /api/v1/tokens/[token]': { action: 'installation.use', of: 'installation' },
  'GET /api/v1/tasks/[task]': { action: 'project.read', of: 'task' },
  'POST /v1/traces': { action: 'run.import', of: 'project', input: () => ({ resourceSpans: [span()] }) },
};

/** A run of another tool (docs/traces.md). */
function atif(mark: string): string {
  const steps = [
    { step_id: 1, source: 'user', message: mark },
    { step_id: 2, source: 'agent', message: mark },
  ];
  return JSON.stringify({
    schema_version: 'ATIF-v1.4',
    session_id: mark,
    agent: { name: 'lead', version: '1' },
    steps,
  });
}

function span() {
  const times = { startTimeUnixNano: '1700000000000000000', endTimeUnixNano: '1700000001000000000' };
  const one = {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    name: 'run',
    kind: 1,
    ...times,
  };
  return { resource: { attributes: [] }, scopeSpans: [{ scope: { name: 'test' }, spans: [one] }] };
}
