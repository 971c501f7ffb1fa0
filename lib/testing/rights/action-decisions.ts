import { noBudget, noRunLimits } from '@/lib/base/limits';
import { about, type Decided } from './decisions';
import type { FullProject } from './full-project';

const inProject = ({ project }: FullProject) => ({ project });
const secret = ({ project, secret: name }: FullProject) => ({ project, name });
const comment = ({ project, review, thread, comment: id }: FullProject) => ({ project, review, thread, comment: id });
const target = ({ target: id }: FullProject) => ({ id });
const rule = { maxAgeDays: 30, maxBytes: null };
const choice = { scopes: ['read'], project: null, days: 90 };
const alertLine = { figure: 'errorRate', kind: 'run', name: '', threshold: 0.5, hours: 24, least: 10 };
const hash = '0'.repeat(64);

/** What each server action decides, by file and name. Every action has a row here, or a test fails. */
export const actionDecisions: Readonly<Record<string, Decided>> = {
  'account/own-actions setPassword': about('installation', 'account.enter', {
    input: () => ({ present: 'a', next: 'b' }),
    misses: true,
  }),
  'account/own-actions endSession': about('installation', 'account.enter', {
    input: () => ({ session: 'others' }),
    misses: true,
  }),
  'account/own-actions passkeyOptions': about('installation', 'account.enter', {
    input: () => ({ password: 'a' }),
    misses: true,
  }),
  'account/own-actions savePasskey': about('installation', 'account.enter', {
    input: () => ({ name: 'a', credential: '{}' }),
    misses: true,
  }),
  'account/own-actions beginFactor': about('installation', 'account.enter', {
    input: () => ({ password: 'a' }),
    misses: true,
  }),
  'account/own-actions confirmFactor': about('installation', 'account.enter', {
    input: () => ({ code: '123456' }),
    misses: true,
  }),
  'account/own-actions renewCodes': about('installation', 'account.enter', {
    input: () => ({ password: 'a' }),
    misses: true,
  }),
  'account/own-actions dropFactor': about('installation', 'account.enter', {
    input: () => ({ password: 'a' }),
    misses: true,
  }),
  'account/own-actions unlinkIdentity': about('installation', 'account.enter', {
    input: () => ({ password: 'a' }),
    misses: true,
  }),
  'account/own-actions deletePasskey': about('installation', 'account.enter', {
    input: () => ({ passkey: 'a' }),
    misses: true,
  }),
  'account/token-actions createToken': about('installation', 'account.self', {
    input: ({ mark }) => ({ name: mark, ...choice }),
  }),
  'account/token-actions revokeToken': about('installation', 'installation.use', { input: () => ({ id: 'none' }) }),
  'account/token-actions revokeTokenOfAnybody': about('installation', 'installation.people', {
    input: () => ({ id: 'none' }),
  }),
  'cli/actions allowCommand': about('installation', 'account.self', {
    input: () => ({ code: 'BBBB-BBBB', ...choice }),
  }),
  'cli/actions denyCommand': about('installation', 'account.self', { input: () => ({ code: 'BBBB-BBBB' }) }),
  'p/[project]/tests/actions startTests': about('project', 'run.start', {
    input: ({ project }) => ({ project, mode: 'replay', names: [] }),
  }),
  'p/[project]/tests/actions saveTest': about('project', 'project.edit', {
    input: ({ project, run }) => ({ project, run, name: 'a', expect: {} }),
  }),
  'p/[project]/revisions/mirror-actions loadMirror': about('project', 'project.read', { input: inProject }),
  'p/[project]/revisions/mirror-actions mirrorSecrets': about('project', 'secrets.set', { input: inProject }),
  'p/[project]/revisions/mirror-actions saveMirror': about('project', 'settings.change', {
    input: ({ project, secret: name }) => ({ project, mirror: { url: 'https://git.example.org/a.git', secret: name } }),
  }),
  'p/[project]/revisions/mirror-actions dropMirror': about('project', 'settings.change', { input: inProject }),
  'p/[project]/revisions/mirror-actions pushNow': about('project', 'project.review', { input: inProject }),
  'p/[project]/triggers/actions makeTrigger': about('project', 'trigger.set', {
    input: ({ project, mark }) => ({
      project,
      request: {
        ...{ kind: 'schedule', name: mark, message: 'Go' },
        schedule: { cron: '0 2 * * *', zone: 'UTC' },
      },
    }),
  }),
  'p/[project]/triggers/actions changeTrigger': about('project', 'trigger.set', {
    input: ({ project, trigger }) => ({ project, trigger, request: { enabled: false } }),
  }),
  'p/[project]/triggers/actions deleteTrigger': about('project', 'trigger.set', {
    input: ({ project, trigger }) => ({ project, trigger }),
  }),
  'p/[project]/triggers/actions renewSecret': about('project', 'trigger.set', {
    input: ({ project, trigger }) => ({ project, trigger }),
  }),
  'p/[project]/triggers/actions runNow': about('project', 'run.start', {
    input: ({ project, trigger }) => ({ project, trigger }),
  }),
  'p/[project]/triggers/actions dueTimes': about('project', 'project.read', {
    input: ({ project }) => ({ project, schedule: { cron: '0 2 * * *', zone: 'UTC' } }),
  }),
  'p/[project]/members/actions inviteToProject': about('project', 'project.members', {
    input: ({ project }) => ({ project, email: 'new@rights.example', role: 'viewer', answers: false }),
  }),
  'settings/people/actions invitePerson': about('installation', 'installation.people', {
    input: () => ({ email: 'new@rights.example', administrator: false }),
  }),
  'settings/people/actions takeBack': about('installation', 'installation.people', { input: () => ({ id: 'none' }) }),
  'settings/people/actions changeActive': about('installation', 'installation.people', {
    input: () => ({ userId: 'none', active: true }),
  }),
  'settings/people/actions changeAdministrator': about('installation', 'installation.people', {
    input: () => ({ userId: 'none', administrator: true }),
  }),
  'settings/people/actions newResetLink': about('installation', 'installation.people', {
    input: () => ({ userId: 'none' }),
  }),
  'settings/people/actions dropSecondFactor': about('installation', 'installation.people', {
    input: () => ({ userId: 'none' }),
  }),
  'settings/people/actions unlinkIdentity': about('installation', 'installation.people', {
    input: () => ({ userId: 'none' }),
  }),
  'settings/people/actions needSecondFactor': about('installation', 'installation.people', {
    input: () => ({ required: false }),
  }),
  'settings/people/actions restrictProjects': about('installation', 'installation.people', {
    input: () => ({ administrators: false }),
  }),
  'p/[project]/reviews/actions open': about('project', 'review.write', {
    input: ({ project }) => ({ project, request: { title: 'T' } }),
  }),
  'p/[project]/reviews/actions addNewVersion': about('project', 'review.write', {
    input: ({ project, review }) => ({ project, review }),
  }),
  'p/[project]/reviews/actions decide': about('project', 'review.decide', {
    input: ({ project, review, revision }) => ({ project, review, request: { verdict: 'request_changes', revision } }),
  }),
  'p/[project]/reviews/actions withdraw': about('project', 'review.write', {
    input: ({ project, review }) => ({ project, review }),
  }),
  'p/[project]/reviews/actions begin': about('project', 'review.write', {
    input: ({ project, review, mark }) => ({ project, review, request: { anchor: { kind: 'review' }, body: mark } }),
  }),
  'p/[project]/reviews/actions answer': about('project', 'review.write', {
    input: ({ project, review, thread, mark }) => ({ project, review, thread, request: { body: mark } }),
  }),
  'p/[project]/reviews/actions changeText': about('project', 'review.write', {
    input: (full) => ({ ...comment(full), request: { body: full.mark } }),
  }),
  'p/[project]/reviews/actions remove': about('project', 'review.write', { input: comment }),
  'p/[project]/reviews/actions ask': about('project', 'policy.set', {
    input: ({ project }) => ({ project, policy: { approvals: 0, authorMayApprove: true, owners: [] } }),
  }),
  'p/[project]/reviews/actions setState': about('project', 'review.write', {
    input: ({ project, review, thread }) => ({ project, review, thread, state: 'open' }),
  }),
  'p/[project]/reviews/actions applyText': about('project', 'project.edit', { input: comment }),
  'p/[project]/revisions/actions publish': about('project', 'project.review', {
    input: ({ project }) => ({ project, request: {} }),
  }),
  'p/[project]/revisions/actions check': about('project', 'project.read', {
    input: ({ project }) => ({ project, label: 'live', draft: 'main' }),
  }),
  'p/[project]/revisions/actions checkBack': about('project', 'project.read', {
    input: ({ project }) => ({ project, label: 'live' }),
    misses: true,
  }),
  'p/[project]/revisions/actions goBack': about('project', 'project.review', {
    input: ({ project, revision }) => ({ project, request: { to: revision } }),
  }),
  'p/[project]/revisions/actions saveAsRevision': about('project', 'project.edit', {
    input: ({ project }) => ({ project, request: {} }),
  }),
  'p/[project]/revisions/actions restore': about('project', 'project.edit', {
    input: ({ project, revision }) => ({ project, revision, draft: 'main' }),
  }),
  'p/[project]/revisions/actions makeDraft': about('project', 'project.edit', {
    input: ({ project }) => ({ project, request: { name: 'try' } }),
  }),
  'p/[project]/revisions/actions changeDraftName': about('project', 'project.edit', {
    input: ({ project, draft }) => ({ project, draft, name: 'other' }),
  }),
  'p/[project]/revisions/actions updateDraft': about('project', 'project.edit', {
    input: ({ project, draft }) => ({ project, draft, request: {} }),
  }),
  'p/[project]/revisions/actions dropDraft': about('project', 'project.edit', {
    input: ({ project, draft }) => ({ project, draft }),
  }),
  'p/[project]/revisions/actions compare': about('project', 'project.read', {
    input: ({ project, revision }) => ({ project, before: revision, after: revision }),
  }),
  'p/[project]/members/actions takeBackInProject': about('project', 'project.members', {
    input: ({ project, invitation: id }) => ({ project, id }),
  }),
  'p/[project]/members/actions changeMember': about('project', 'project.members', {
    input: ({ project, member: userId }) => ({ project, userId, role: 'viewer', answers: false }),
  }),
  'p/[project]/members/actions dropMember': about('project', 'project.members', {
    input: ({ project, member: userId }) => ({ project, userId }),
  }),
  'actions createBlank': about('installation', 'project.create', { input: () => ({ name: 'New' }) }),
  'actions createFromSample': about('installation', 'project.create', { input: () => ({ sample: 'pmo' }) }),
  'actions duplicate': about('project', 'project.read', { also: 'project.create', input: inProject }),
  'actions rename': about('project', 'project.edit', { input: ({ project, mark }) => ({ project, name: mark }) }),
  'actions remove': about('project', 'project.delete', { input: inProject }),
  'compare/actions startBeside': about('run', 'run.start', { input: ({ run }) => ({ of: run }) }),
  'conversation-actions sendMessage': about('project', 'run.start', {
    input: ({ project }) => ({ project, message: 'Go' }),
  }),
  'conversation-actions deleteConversation': about('project', 'conversation.delete', {
    input: ({ project, conversation }) => ({ project, conversation }),
  }),
  'p/[project]/actions save': about('project', 'project.edit', {
    input: ({ project, mark }) => ({ project, baseVersion: 1, changes: [{ path: 'note.md', text: mark }] }),
  }),
  'p/[project]/actions start': about('project', 'run.start', { input: ({ project }) => ({ project, message: 'Go' }) }),
  'p/[project]/actions beginTask': about('project', 'run.start', {
    input: ({ project }) => ({ project, request: { kind: 'probe', server: 'none' }, changes: [] }),
  }),
  'p/[project]/actions endTask': about('task', 'run.start', { input: ({ task }) => ({ task }) }),
  'p/[project]/actions tellServers': about('project', 'project.edit', {
    input: ({ project }) => ({ project, news: [{ news: 'renamed', from: 'a', to: 'b' }] }),
  }),
  'p/[project]/actions confirm': about('project', 'project.trust', { input: ({ project }) => ({ project, hash }) }),
  'command-actions askCommands': about('project', 'run.start', { input: inProject }),
  'settings/commands/actions decide': about('installation', 'installation.commands', {
    input: () => ({ id: 'none', decision: 'approve' }),
    misses: true,
  }),
  'settings/commands/actions readFile': about('installation', 'installation.commands', {
    input: () => ({ id: 'none', path: 'a.py' }),
    misses: true,
  }),
  'settings/sign-in-actions listSignIns': about('project', 'secrets.set', { input: inProject }),
  'settings/sign-in-actions startSignIn': about('project', 'secrets.set', {
    andIn: 'run.start',
    input: ({ project }) => ({ project, server: 'none' }),
  }),
  'settings/sign-in-actions removeSignIn': about('project', 'secrets.set', {
    input: ({ project, signIn }) => ({ project, signIn }),
  }),
  'people-actions answer': about('item', 'item.answer', { input: ({ item }) => ({ item, decision: 'approve' }) }),
  'people-actions answerAll': about('list', 'item.answer', {
    changes: true,
    input: ({ item }) => ({ items: [item], decision: 'approve' }),
  }),
  'people-actions revoke': about('grant', 'grant.revoke', { input: ({ grant }) => ({ grant }) }),
  'r/[run]/score-actions score': about('run', 'score.write', {
    input: ({ run, mark }) => ({ run, said: { value: 1, note: mark } }),
  }),
  'r/[run]/score-actions unscore': about('run', 'score.write', { input: ({ run, score }) => ({ run, score }) }),
  'r/[run]/share-actions listLinks': about('run', 'run.share', { input: ({ run }) => ({ run }) }),
  'r/[run]/share-actions makeLink': about('run', 'run.share', { input: ({ run }) => ({ run }) }),
  'r/[run]/share-actions revokeLink': about('run', 'run.share', { input: ({ run, share: link }) => ({ run, link }) }),
  'r/[run]/actions stop': about('run', 'run.stop', { input: ({ run }) => ({ run }) }),
  'r/[run]/actions startAgain': about('project', 'run.start', {
    input: ({ project, run }) => ({ project, again: { run, kind: 'again', files: 'recorded' } }),
  }),
  'r/[run]/actions pin': about('project', 'project.edit', {
    input: ({ project, run, toolCall: seq }) => ({ project, run, seq }),
  }),
  'r/[run]/actions unpin': about('project', 'project.edit', { input: ({ project, pin }) => ({ project, pin }) }),
  'runs/actions countChosen': about('list', 'run.delete', { input: ({ run }) => ({ ids: [run] }) }),
  'runs/actions restoreDeleted': about('list', 'run.delete', {
    input: ({ deletion }) => ({ deletions: [deletion] }),
    changes: true,
  }),
  'runs/actions deleteBinned': about('list', 'run.delete', {
    input: ({ deletion }) => ({ deletions: [deletion] }),
    changes: true,
  }),
  'runs/actions removeChosen': about('list', 'run.delete', { input: ({ run }) => ({ ids: [run] }), changes: true }),
  'notices/actions markNotices': about('list', 'project.read', { input: () => ({ ids: 'all' }) }),
  'notices/actions chooseGroup': about('installation', 'account.self', {
    input: () => ({ group: 'runs', inApp: true, mail: false }),
  }),
  'runs/dashboard/alert-actions listAlerts': about('list', 'run.read', { input: () => ({ limit: 100 }) }),
  'runs/dashboard/alert-actions createAlert': about('project', 'settings.change', {
    input: ({ project }) => ({ project, ...alertLine }),
  }),
  'runs/dashboard/alert-actions saveAlert': about('alert', 'settings.change', {
    input: ({ alert }) => ({ alert, edit: { ...alertLine, enabled: false } }),
  }),
  'runs/dashboard/alert-actions deleteAlert': about('alert', 'settings.change', { input: ({ alert }) => ({ alert }) }),
  'runs/actions saveFilter': about('list', 'installation.use', { input: () => ({ name: 'Mine', query: '' }) }),
  'runs/actions deleteFilter': about('list', 'installation.use', { input: () => ({ name: 'Mine' }) }),
  'settings/actions previewRule': about('project', 'settings.change', { input: ({ project }) => ({ project, rule }) }),
  'settings/actions saveRule': about('project', 'settings.change', { input: ({ project }) => ({ project, rule }) }),
  'settings/limit-actions saveLimits': about('installation', 'settings.change', {
    input: () => ({ runs: noRunLimits, budget: noBudget }),
  }),
  'settings/limit-actions saveBudget': about('project', 'settings.change', {
    input: ({ project }) => ({ project, budget: noBudget }),
  }),
  'settings/notification-actions readTargets': about('list', 'settings.change', { input: () => ({}) }),
  'settings/notification-actions createWebhook': about('project', 'settings.change', {
    input: ({ project, mark }) => ({ project, url: `https://${mark}.example.org/new`, groups: ['questions'] }),
  }),
  'settings/notification-actions createMail': about('project', 'settings.change', {
    input: ({ project }) => ({ project, address: 'ann@example.org', groups: ['questions'], mayAnswer: false }),
  }),
  'settings/notification-actions readTellLine': about('project', 'settings.change', { input: inProject }),
  'settings/notification-actions saveTellLine': about('project', 'settings.change', {
    input: ({ project }) => ({ project, usd: 1, seconds: 60 }),
  }),
  'settings/notification-actions changeSecret': about('target', 'settings.change', { input: target }),
  'settings/notification-actions deleteTarget': about('target', 'settings.change', { input: target }),
  'settings/notification-actions sendTest': about('target', 'settings.change', { input: target }),
  'settings/policy/actions readRules': about('project', 'project.read', { input: inProject }),
  'settings/policy/actions saveRule': about('project', 'policy.set', {
    input: ({ project, mark }) => ({
      project,
      rule: { name: mark, level: 'warn', demand: { kind: 'no_shell' } },
    }),
  }),
  'settings/policy/actions removeRule': about('project', 'policy.set', {
    input: ({ project, rule: name }) => ({ project, name }),
  }),
  'secret-actions listSecrets': about('project', 'secrets.set', { input: inProject }),
  'secret-actions saveSecret': about('project', 'secrets.set', {
    input: (full) => ({ ...secret(full), value: 'a-value-of-some-length' }),
    makes: true,
  }),
  'secret-actions removeSecret': about('project', 'secrets.set', { input: secret }),
  'secret-actions beginKeyTest': about('project', 'secrets.set', {
    input: ({ project }) => ({ project, name: 'OPENAI_API_KEY' }),
  }),
  'secret-actions beginModelList': about('project', 'secrets.set', {
    input: ({ project }) => ({ project, section: 'ollama', address: 'http://127.0.0.1:9/v1' }),
  }),
};
