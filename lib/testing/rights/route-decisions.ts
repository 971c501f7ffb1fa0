import { about, type Decided } from './decisions';
import type { FullProject } from './full-project';

const read = about('run', 'run.read');
const share = about('run', 'run.share');
const texts = about('run', 'run.texts');
const project = about('project', 'project.read');
const open = about('open', 'installation.use');
/** An address without a route. */
const nothing = about('installation', 'installation.use', { misses: true });
const inProject = ({ project: id }: FullProject) => `?project=${id}`;
const files = { 'a.md': '---\nname: a\nmodel: passthrough\n---\nA.\n' };
const budget = { maxUsd: 1_000, maxTokens: 1_000_000_000, maxRuns: 100_000 };
const alertLine = { figure: 'errorRate', kind: 'agent', name: 'a', threshold: 0.5, hours: 24, least: 10 };
const answer = { decision: 'deny', note: 'no' };
const demand = {
  kind: 'hook',
  tools: ['*'],
  sources: ['mcp'],
  writes: true,
  agents: ['a'],
  hook: 'redact',
  place: 'any',
};

/**
 * What each route decides, by method and address, and a body that it takes, with every member that a body may have. Every route has a
 * row here, or a test fails.
 */
export const routeDecisions: Readonly<Record<string, Decided>> = {
  'GET /answer/[link]': about('open', 'item.read'),
  'POST /answer/[link]': about('open', 'item.answer'),
  'GET /share/[token]': about('open', 'run.read'),
  'GET /api/health': open,
  'POST /api/v1/hooks/[hook]': about('open', 'run.start'),
  'POST /api/v1/logins': { ...open, input: () => ({ machine: 'laptop', scopes: ['read'] }) },
  'POST /api/v1/logins/token': { ...open, input: () => ({ secret: 'of nobody' }) },
  'POST /sign-in': open,
  'GET /sign-in': open,
  'GET /sign-in/code': open,
  'POST /sign-in/code': open,
  'POST /sign-in/passkey': open,
  'POST /sign-in/provider': open,
  'POST /sign-out': open,
  'GET /setup': open,
  'POST /setup': open,
  'GET /invite': open,
  'POST /invite': open,
  'GET /reset': open,
  'POST /reset': open,
  'GET /api/auth/callback/oidc': open,
  'GET /share/run/[link]/api/[[...rest]]': open,
  'GET /api/[...rest]': nothing,
  'POST /api/[...rest]': nothing,
  'PUT /api/[...rest]': nothing,
  'PATCH /api/[...rest]': nothing,
  'DELETE /api/[...rest]': nothing,
  'GET /api/v1/alerts': about('list', 'run.read'),
  'POST /api/v1/alerts': about('project', 'settings.change', { input: ({ project }) => ({ project, ...alertLine }) }),
  'PATCH /api/v1/alerts/[alert]': about('alert', 'settings.change', {
    input: () => ({ ...alertLine, enabled: false }),
  }),
  'DELETE /api/v1/alerts/[alert]': about('alert', 'settings.change'),
  'GET /api/v1/audit': about('project', 'audit.read', { query: inProject }),
  'GET /api/v1/audit/export': about('installation', 'audit.read'),
  'GET /api/v1/commands': about('installation', 'installation.commands'),
  'POST /api/v1/commands/[command]': about('installation', 'installation.commands', {
    input: () => ({ decision: 'approve', note: 'fine' }),
    misses: true,
  }),
  'GET /git/[project]/info/refs': about('project', 'project.export', { query: () => '?service=git-upload-pack' }),
  'POST /git/[project]/git-upload-pack': about('project', 'project.export', { input: () => 'no lines' }),
  'POST /git/[project]/git-receive-pack': about('project', 'project.edit', { input: () => 'no lines' }),
  'GET /oauth/mcp/start': about('installation', 'installation.use', { misses: true }),
  // A page for the browser that comes back from a provider.
  'GET /oauth/mcp/callback': about('installation', 'installation.use', { misses: true, unseen: 'bad_request' }),
  'POST /api/v1/check': about('installation', 'installation.use', { input: () => ({ files }) }),
  'GET /api/v1/grants': about('list', 'item.read'),
  'DELETE /api/v1/grants/[grant]': about('grant', 'grant.revoke'),
  'POST /api/v1/imports': about('project', 'run.import', {
    query: inProject,
    input: ({ mark }) => ({ files: { 'trajectory.json': atif(mark) } }),
  }),
  'GET /api/v1/limits': about('list', 'settings.change'),
  'PUT /api/v1/limits': about('installation', 'settings.change', {
    input: () => ({ runs: { startsPerMinute: 100, activePerPerson: 1_000, activePerProject: 1_000 }, budget }),
  }),
  'GET /api/v1/policy': about('project', 'project.read', { query: inProject }),
  'PUT /api/v1/policy/[name]': about('project', 'policy.set', {
    query: inProject,
    input: () => ({ level: 'warn', demand }),
    makes: true,
  }),
  'DELETE /api/v1/policy/[name]': about('project', 'policy.set', { query: inProject, input: () => ({}) }),
  'GET /api/v1/notices': about('list', 'project.read'),
  'GET /api/v1/notices/unread': about('list', 'project.read'),
  'POST /api/v1/notices/read': about('list', 'project.read', { input: () => ({ ids: 'all' }) }),
  'GET /api/v1/notices/choices': about('installation', 'account.self'),
  'PUT /api/v1/notices/choices': about('installation', 'account.self', {
    input: () => ({ group: 'runs', inApp: true, mail: false }),
  }),
  'GET /api/v1/pending': about('list', 'item.read'),
  'GET /api/v1/pending/[item]': about('item', 'item.read'),
  'POST /api/v1/pending/[item]/answer': about('item', 'item.answer', {
    input: () => ({ ...answer, remember: { scope: 'run', match: { to: 'a*' }, expiresAt: 1 } }),
  }),
  'POST /api/v1/pending/answers': about('list', 'item.answer', {
    input: ({ item }) => ({ answers: [{ id: item, ...answer }] }),
    changes: true,
  }),
  'GET /api/v1/pending/details': about('list', 'item.read', { query: ({ item }) => `?ids=${item}` }),
  'GET /api/v1/pending/stream': about('list', 'item.read', {
    query: inProject,
    says: (isIn) => `{"open":${isIn ? 1 : 0}}`,
  }),
  'GET /api/v1/projects': about('list', 'project.read'),
  'POST /api/v1/projects': about('installation', 'project.create', { input: () => ({ name: 'New', files }) }),
  'GET /api/v1/projects/[project]': project,
  'PATCH /api/v1/projects/[project]': about('project', 'project.edit', { input: ({ mark }) => ({ name: mark }) }),
  'DELETE /api/v1/projects/[project]': about('project', 'project.delete'),
  'POST /api/v1/projects/[project]/a2a': about('project', 'project.read', {
    input: () => ({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'none' } }),
  }),
  'GET /api/v1/projects/[project]/a2a/.well-known/agent-card.json': project,
  'POST /api/v1/projects/[project]/mcp': about('project', 'project.read', {
    input: () => ({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  }),
  'GET /api/v1/projects/[project]/budget': project,
  'PUT /api/v1/projects/[project]/budget': about('project', 'settings.change', { input: () => budget }),
  'DELETE /api/v1/projects/[project]/budget': about('project', 'settings.change'),
  'POST /api/v1/projects/[project]/bytes': about('project', 'project.edit', { input: () => 'bytes' }),
  'GET /api/v1/projects/[project]/bytes/[hash]': project,
  'POST /api/v1/projects/[project]/commands': about('project', 'run.start', { input: () => ({}) }),
  'POST /api/v1/projects/[project]/commands to approve': about('installation', 'installation.commands', {
    input: () => ({ approve: ['a'.repeat(64)] }),
    misses: true,
  }),
  'GET /api/v1/projects/[project]/conversations': project,
  'GET /api/v1/projects/[project]/conversations/[conversation]': project,
  'DELETE /api/v1/projects/[project]/conversations/[conversation]': about('project', 'conversation.delete'),
  'POST /api/v1/projects/[project]/copy': { ...project, also: 'project.create' },
  'GET /api/v1/projects/[project]/bundle': about('project', 'project.export'),
  'GET /api/v1/projects/[project]/files': project,
  'PATCH /api/v1/projects/[project]/files': about('project', 'project.edit', {
    input: ({ mark }) => ({
      baseVersion: 1,
      changes: [
        { path: 'note.md', text: mark },
        { path: 'b', base64: 'AAAA' },
      ],
    }),
  }),
  'GET /api/v1/projects/[project]/hook-changes': { ...project, query: () => '?hook=x' },
  'GET /api/v1/projects/[project]/pins': project,
  'POST /api/v1/projects/[project]/pins': about('project', 'project.edit', {
    input: ({ run, toolCall: seq }) => ({ run, seq, match: 'equal' }),
  }),
  'DELETE /api/v1/projects/[project]/pins/[pin]': about('project', 'project.edit'),
  'GET /api/v1/projects/[project]/drafts': project,
  'POST /api/v1/projects/[project]/drafts': about('project', 'project.edit', {
    input: () => ({ name: 'try', draft: 'main' }),
  }),
  'PATCH /api/v1/projects/[project]/drafts/[draft]': about('project', 'project.edit', {
    input: () => ({ name: 'other' }),
  }),
  'DELETE /api/v1/projects/[project]/drafts/[draft]': about('project', 'project.edit'),
  'POST /api/v1/projects/[project]/drafts/[draft]/update': about('project', 'project.edit', {
    input: () => ({ version: 1, live: 1, resolutions: { 'a.md': { text: 'a' } } }),
  }),
  'GET /api/v1/projects/[project]/triggers': project,
  'POST /api/v1/projects/[project]/triggers': about('project', 'trigger.set', {
    input: ({ mark }) => ({
      kind: 'schedule',
      name: mark,
      target: { label: 'live' },
      message: '{{due}}',
      stopAfter: 2,
      schedule: { cron: '0 2 * * *', zone: 'UTC' },
    }),
  }),
  'PATCH /api/v1/projects/[project]/triggers/[trigger]': about('project', 'trigger.set', {
    input: () => ({ name: 'T', target: { label: 'live' }, message: 'M', enabled: false }),
  }),
  'DELETE /api/v1/projects/[project]/triggers/[trigger]': about('project', 'trigger.set'),
  'POST /api/v1/projects/[project]/triggers/[trigger]/secret': about('project', 'trigger.set'),
  'POST /api/v1/projects/[project]/triggers/[trigger]/run': about('project', 'run.start'),
  'GET /api/v1/projects/[project]/notice-line': about('project', 'settings.change'),
  'PUT /api/v1/projects/[project]/notice-line': about('project', 'settings.change', {
    input: () => ({ usd: 1, seconds: 60 }),
  }),
  'GET /api/v1/projects/[project]/mirror': project,
  'PUT /api/v1/projects/[project]/mirror': about('project', 'settings.change', {
    input: ({ secret }) => ({ url: 'https://git.example.org/a.git', user: 'git', secret }),
  }),
  'DELETE /api/v1/projects/[project]/mirror': about('project', 'settings.change'),
  'POST /api/v1/projects/[project]/mirror/push': about('project', 'project.review'),
  'GET /api/v1/projects/[project]/releases': project,
  'POST /api/v1/projects/[project]/releases': about('project', 'project.review', {
    input: () => ({ label: 'live', draft: 'main', version: 1, note: 'n', expected: null, override: 'o' }),
  }),
  'GET /api/v1/projects/[project]/releases/check': project,
  'GET /api/v1/projects/[project]/revisions': project,
  'POST /api/v1/projects/[project]/revisions': about('project', 'project.edit', {
    input: () => ({ draft: 'main', version: 1, message: 'm' }),
  }),
  'GET /api/v1/projects/[project]/revisions/[number]': project,
  'POST /api/v1/projects/[project]/revisions/[number]/restore': about('project', 'project.edit', {
    input: () => ({ draft: 'main' }),
  }),
  'POST /api/v1/projects/[project]/rollback': about('project', 'project.review', {
    input: ({ revision }) => ({ label: 'live', to: revision, expected: revision, note: 'n' }),
  }),
  'GET /api/v1/projects/[project]/review-policy': project,
  'PUT /api/v1/projects/[project]/review-policy': about('project', 'policy.set', {
    input: () => ({ approvals: 0, authorMayApprove: true, owners: [{ pattern: 'b*', people: ['ann@example.org'] }] }),
  }),
  'GET /api/v1/projects/[project]/reviews': project,
  'POST /api/v1/projects/[project]/reviews': about('project', 'review.write', {
    input: ({ mark }) => ({ title: mark, body: 'B @ann', draft: 'main' }),
  }),
  'GET /api/v1/projects/[project]/reviews/[review]': project,
  'GET /api/v1/projects/[project]/reviews/[review]/changes': project,
  'PATCH /api/v1/projects/[project]/reviews/[review]': about('project', 'review.write', {
    input: () => ({ status: 'withdrawn' }),
  }),
  'POST /api/v1/projects/[project]/reviews/[review]/versions': about('project', 'review.write', {
    input: () => ({ message: 'M' }),
  }),
  'POST /api/v1/projects/[project]/reviews/[review]/verdicts': about('project', 'review.decide', {
    input: ({ revision }) => ({ verdict: 'request_changes', revision, note: 'N' }),
  }),
  'POST /api/v1/projects/[project]/reviews/[review]/publish': about('project', 'project.review', {
    input: ({ revision }) => ({ revision, note: 'N', override: 'O' }),
  }),
  'POST /api/v1/projects/[project]/reviews/[review]/threads': about('project', 'review.write', {
    input: ({ mark }) => ({
      anchor: { kind: 'line', file: 'agent-cards/lead.md', from: 1, to: 1 },
      body: mark,
      suggestion: 'S',
    }),
  }),
  'PATCH /api/v1/projects/[project]/reviews/[review]/threads/[thread]': about('project', 'review.write', {
    input: () => ({ state: 'resolved' }),
  }),
  'POST /api/v1/projects/[project]/reviews/[review]/threads/[thread]/comments': about('project', 'review.write', {
    input: ({ mark }) => ({ body: mark, suggestion: 'S' }),
  }),
  'PATCH /api/v1/projects/[project]/reviews/[review]/threads/[thread]/comments/[comment]': about(
    'project',
    'review.write',
    { input: ({ mark }) => ({ body: mark }) },
  ),
  'DELETE /api/v1/projects/[project]/reviews/[review]/threads/[thread]/comments/[comment]': about(
    'project',
    'review.write',
  ),
  'POST /api/v1/projects/[project]/reviews/[review]/threads/[thread]/comments/[comment]/apply': about(
    'project',
    'project.edit',
  ),
  'POST /api/v1/projects/[project]/runs': about('project', 'run.start', {
    input: () => ({
      message: 'Go',
      agent: 'lead',
      model: 'passthrough',
      correlationId: 'c',
      attachments: [{ name: 'a.txt', mediaType: 'text/plain', text: 'x' }],
      conversationId: 'new',
    }),
  }),
  'GET /api/v1/projects/[project]/servers': project,
  'GET /api/v1/projects/[project]/sessions': project,
  'GET /api/v1/projects/[project]/presence': { ...project, shows: true },
  'PUT /api/v1/projects/[project]/presence': {
    ...project,
    input: () => ({
      window: 'w1',
      draft: 'main',
      place: { page: 'editor', selected: ['agent:a'], file: 'a.md', editing: 'file:a.md', taken: true },
    }),
  },
  'DELETE /api/v1/projects/[project]/presence': { ...project, query: () => '?window=w1' },
  'GET /api/v1/projects/[project]/tests': project,
  'POST /api/v1/projects/[project]/tests': about('project', 'run.start', {
    input: () => ({ draft: 'main', mode: 'replay', names: [] }),
  }),
  'GET /api/v1/projects/[project]/uses': { ...project, query: () => '?kind=agent&name=a' },
  'GET /api/v1/projects/[project]/import-report': project,
  'GET /api/v1/projects/[project]/trust': project,
  'POST /api/v1/projects/[project]/trust': about('project', 'project.trust', {
    input: () => ({ hash: '0'.repeat(64) }),
  }),
  'GET /api/v1/runs': about('list', 'run.read'),
  'DELETE /api/v1/runs': about('list', 'run.delete', { query: inProject, changes: true }),
  'GET /api/v1/runs/bin': about('list', 'run.delete'),
  'DELETE /api/v1/runs/bin': about('list', 'run.delete', { query: ({ binned }) => `?run=${binned}`, changes: true }),
  'POST /api/v1/runs/restore': about('list', 'run.delete', {
    input: ({ binned }) => ({ runs: [binned] }),
    changes: true,
  }),
  'GET /api/v1/runs/chart': about('list', 'run.read'),
  'GET /api/v1/runs/dashboard': about('list', 'run.read'),
  'GET /api/v1/runs/export': about('list', 'run.texts', { query: () => '?format=json', changes: true }),
  'GET /api/v1/runs/names': about('list', 'run.read', { query: () => '?field=agent' }),
  'GET /api/v1/runs/[run]': read,
  'DELETE /api/v1/runs/[run]': about('run', 'run.delete'),
  'GET /api/v1/runs/[run]/again': about('run', 'project.read', { query: () => '?at=1' }),
  'GET /api/v1/runs/[run]/calls/[seq]': texts,
  'GET /api/v1/runs/[run]/changes': { ...texts, another: 'besides', query: ({ asking }) => `?to=${asking}` },
  'GET /api/v1/runs/[run]/digests': texts,
  'GET /api/v1/runs/[run]/events': texts,
  'GET /api/v1/runs/[run]/events as a stream': { ...texts, accept: 'text/event-stream', shows: true },
  'GET /api/v1/runs/[run]/events/[seq]': texts,
  'GET /api/v1/runs/[run]/export': { ...texts, query: () => '?as=events' },
  'GET /api/v1/runs/[run]/graph': texts,
  // Its recorded call has no request.
  'GET /api/v1/runs/[run]/model-calls/[seq]': { ...texts, misses: true },
  'GET /api/v1/runs/[run]/otlp': texts,
  'GET /api/v1/runs/[run]/search': { ...texts, query: () => '?text=mark' },
  'GET /api/v1/runs/[run]/scores': about('run', 'score.read'),
  'POST /api/v1/runs/[run]/scores': about('run', 'score.write', {
    input: ({ mark }) => ({ name: 'quality', value: 1, note: mark }),
  }),
  'DELETE /api/v1/runs/[run]/scores/[score]': about('run', 'score.write'),
  'GET /api/v1/runs/[run]/shares': share,
  'POST /api/v1/runs/[run]/shares': { ...share, input: () => ({ hours: 24, texts: true }) },
  'DELETE /api/v1/runs/[run]/shares/[share]': share,
  'POST /api/v1/runs/[run]/stop': about('run', 'run.stop', { another: 'instead' }),
  'GET /api/v1/runs/[run]/surface': { ...texts, query: () => '?instance=lead' },
  'GET /api/v1/runs/[run]/timeline': read,
  'GET /api/v1/runs/[run]/versions': { ...read, query: () => '?after=-1' },
  'GET /api/v1/samples': about('installation', 'installation.use'),
  'POST /api/v1/samples/[sample]': about('installation', 'project.create', { input: () => ({ name: 'P' }) }),
  'GET /api/v1/secrets': about('project', 'secrets.set', { query: inProject }),
  'PUT /api/v1/secrets/[name]': about('project', 'secrets.set', {
    query: inProject,
    input: () => ({ value: 'a-value-of-some-length', hosts: ['a.example'] }),
    makes: true,
  }),
  'DELETE /api/v1/secrets/[name]': about('project', 'secrets.set', { query: inProject }),
  'POST /api/v1/secrets/[name]/test': about('project', 'secrets.set', {
    query: inProject,
    input: () => ({ value: 'a-value-of-some-length' }),
  }),
  'GET /api/v1/tokens': about('installation', 'installation.use'),
  'DELETE /api/v1/tokens/[token]': about('installation', 'installation.use', { misses: true }),
  'GET /api/v1/tasks/[task]': about('task', 'project.read'),
  'POST /v1/traces': about('project', 'run.import', { input: () => ({ resourceSpans: [span()] }) }),
  'POST /v1/logs': about('project', 'run.import', { input: () => ({ resourceLogs: [] }) }),
  'POST /v1/metrics': about('project', 'run.import', { input: () => ({ resourceMetrics: [] }) }),
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
