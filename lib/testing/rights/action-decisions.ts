import { randomUUID } from 'node:crypto';
import { noBudget, noRunLimits } from '@/lib/base/limits';
import type { Decided } from './decisions';
import type { FullProject } from './full-project';

const inProject = ({ project }: FullProject) => ({ project });
const secret = ({ project, secret: name }: FullProject) => ({ project, name });
const comment = ({ project, review, thread, comment: id }: FullProject) => ({ project, review, thread, comment: id });
const target = ({ target: id }: FullProject) => ({ id });
const rule = { maxAgeDays: 30, maxBytes: null };
const choice = { scopes: ['read'], project: null, days: 90 };
const hash = '0'.repeat(64);

/** What each server action decides, by file and name. Every action has a row here, or a test fails. */
export const actionDecisions: Readonly<Record<string, Decided>> = {
  'account/own-actions setPassword': {
    action: 'account.enter',
    of: 'installation',
    input: () => ({ present: 'a', next: 'b' }),
    misses: true,
  },
  'account/own-actions endSession': {
    action: 'account.enter',
    of: 'installation',
    input: () => ({ session: 'others' }),
    misses: true,
  },
  'account/own-actions passkeyOptions': { action: 'account.enter', of: 'installation', input: () => ({}) },
  'account/own-actions savePasskey': {
    action: 'account.enter',
    of: 'installation',
    input: () => ({ name: 'a', credential: '{}' }),
    misses: true,
  },
  'account/own-actions beginFactor': {
    action: 'account.enter',
    of: 'installation',
    input: () => ({ password: 'a' }),
    misses: true,
  },
  'account/own-actions confirmFactor': {
    action: 'account.enter',
    of: 'installation',
    input: () => ({ code: '123456' }),
    misses: true,
  },
  'account/own-actions renewCodes': {
    action: 'account.enter',
    of: 'installation',
    input: () => ({ password: 'a' }),
    misses: true,
  },
  'account/own-actions dropFactor': {
    action: 'account.enter',
    of: 'installation',
    input: () => ({ password: 'a' }),
    misses: true,
  },
  'account/own-actions deletePasskey': {
    action: 'account.enter',
    of: 'installation',
    input: () => ({ passkey: 'a' }),
    misses: true,
  },
  'account/token-actions createToken': {
    action: 'account.self',
    of: 'installation',
    input: ({ mark }) => ({ name: mark, ...choice }),
  },
  'account/token-actions revokeToken': {
    action: 'installation.use',
    of: 'installation',
    input: () => ({ id: 'none' }),
  },
  'account/token-actions revokeTokenOfAnybody': {
    action: 'installation.people',
    of: 'installation',
    input: () => ({ id: 'none' }),
  },
  'cli/actions allowCommand': {
    action: 'account.self',
    of: 'installation',
    input: () => ({ code: 'BBBB-BBBB', ...choice }),
  },
  'cli/actions denyCommand': { action: 'account.self', of: 'installation', input: () => ({ code: 'BBBB-BBBB' }) },
  'p/[project]/tests/actions startTests': {
    action: 'run.start',
    of: 'project',
    input: ({ project }) => ({ project, mode: 'replay', names: [] }),
  },
  'p/[project]/tests/actions saveTest': {
    action: 'project.edit',
    of: 'project',
    input: ({ project, run }) => ({ project, run, name: 'a', expect: {} }),
  },
  'p/[project]/revisions/mirror-actions loadMirror': { action: 'project.read', of: 'project', input: inProject },
  'p/[project]/revisions/mirror-actions mirrorSecrets': { action: 'secrets.set', of: 'project', input: inProject },
  'p/[project]/revisions/mirror-actions saveMirror': {
    action: 'settings.change',
    of: 'project',
    input: ({ project, secret: name }) => ({ project, mirror: { url: 'https://git.example.org/a.git', secret: name } }),
  },
  'p/[project]/revisions/mirror-actions dropMirror': {
    action: 'settings.change',
    of: 'project',
    input: inProject,
    ends: true,
  },
  'p/[project]/revisions/mirror-actions pushNow': { action: 'project.review', of: 'project', input: inProject },
  'p/[project]/triggers/actions makeTrigger': {
    action: 'trigger.set',
    of: 'project',
    input: ({ project, mark }) => ({
      project,
      request: {
        ...{ kind: 'schedule', name: `${mark} ${randomUUID()}`, message: 'Go' },
        schedule: { cron: '0 2 * * *', zone: 'UTC' },
      },
    }),
  },
  'p/[project]/triggers/actions changeTrigger': {
    action: 'trigger.set',
    of: 'project',
    input: ({ project, trigger }) => ({ project, trigger, request: { enabled: false } }),
  },
  'p/[project]/triggers/actions deleteTrigger': {
    action: 'trigger.set',
    of: 'project',
    input: ({ project, trigger }) => ({ project, trigger }),
    ends: true,
  },
  'p/[project]/triggers/actions renewSecret': {
    action: 'trigger.set',
    of: 'project',
    input: ({ project, trigger }) => ({ project, trigger }),
  },
  'p/[project]/triggers/actions runNow': {
    action: 'run.start',
    of: 'project',
    input: ({ project, trigger }) => ({ project, trigger }),
  },
  'p/[project]/triggers/actions dueTimes': {
    action: 'project.read',
    of: 'project',
    input: ({ project }) => ({ project, schedule: { cron: '0 2 * * *', zone: 'UTC' } }),
  },
  'p/[project]/members/actions inviteToProject': {
    action: 'project.members',
    of: 'project',
    input: ({ project }) => ({ project, email: 'new@rights.example', role: 'viewer', answers: false }),
  },
  'settings/people/actions invitePerson': {
    action: 'installation.people',
    of: 'installation',
    input: () => ({ email: 'new@rights.example', administrator: false }),
  },
  'settings/people/actions takeBack': {
    action: 'installation.people',
    of: 'installation',
    input: () => ({ id: 'none' }),
  },
  'settings/people/actions changeActive': {
    action: 'installation.people',
    of: 'installation',
    input: () => ({ userId: 'none', active: true }),
  },
  'settings/people/actions changeAdministrator': {
    action: 'installation.people',
    of: 'installation',
    input: () => ({ userId: 'none', administrator: true }),
  },
  'settings/people/actions newResetLink': {
    action: 'installation.people',
    of: 'installation',
    input: () => ({ userId: 'none' }),
  },
  'settings/people/actions dropSecondFactor': {
    action: 'installation.people',
    of: 'installation',
    input: () => ({ userId: 'none' }),
  },
  'settings/people/actions needSecondFactor': {
    action: 'installation.people',
    of: 'installation',
    input: () => ({ required: false }),
  },
  'p/[project]/reviews/actions open': {
    action: 'review.write',
    of: 'project',
    input: ({ project }) => ({ project, request: { title: 'T' } }),
    ends: true,
  },
  'p/[project]/reviews/actions addNewVersion': {
    action: 'review.write',
    of: 'project',
    input: ({ project, review }) => ({ project, review }),
  },
  'p/[project]/reviews/actions decide': {
    action: 'review.decide',
    of: 'project',
    input: ({ project, review, revision }) => ({ project, review, request: { verdict: 'request_changes', revision } }),
  },
  'p/[project]/reviews/actions withdraw': {
    action: 'review.write',
    of: 'project',
    input: ({ project, review }) => ({ project, review }),
    ends: true,
  },
  'p/[project]/reviews/actions begin': {
    action: 'review.write',
    of: 'project',
    input: ({ project, review, mark }) => ({ project, review, request: { anchor: { kind: 'review' }, body: mark } }),
  },
  'p/[project]/reviews/actions answer': {
    action: 'review.write',
    of: 'project',
    input: ({ project, review, thread, mark }) => ({ project, review, thread, request: { body: mark } }),
  },
  'p/[project]/reviews/actions changeText': {
    action: 'review.write',
    of: 'project',
    input: (full) => ({ ...comment(full), request: { body: full.mark } }),
  },
  'p/[project]/reviews/actions remove': { action: 'review.write', of: 'project', input: comment, ends: true },
  'p/[project]/reviews/actions ask': {
    action: 'policy.set',
    of: 'project',
    input: ({ project }) => ({ project, policy: { approvals: 0, authorMayApprove: true, owners: [] } }),
  },
  'p/[project]/reviews/actions setState': {
    action: 'review.write',
    of: 'project',
    input: ({ project, review, thread }) => ({ project, review, thread, state: 'open' }),
  },
  'p/[project]/reviews/actions applyText': { action: 'project.edit', of: 'project', input: comment, ends: true },
  'p/[project]/revisions/actions publish': {
    action: 'project.review',
    of: 'project',
    input: ({ project }) => ({ project, request: {} }),
  },
  'p/[project]/revisions/actions check': {
    action: 'project.read',
    of: 'project',
    input: ({ project }) => ({ project, label: 'live', draft: 'main' }),
  },
  'p/[project]/revisions/actions checkBack': {
    action: 'project.read',
    of: 'project',
    input: ({ project }) => ({ project, label: 'live' }),
    misses: true,
  },
  'p/[project]/revisions/actions goBack': {
    action: 'project.review',
    of: 'project',
    input: ({ project, revision }) => ({ project, request: { to: revision } }),
  },
  'p/[project]/revisions/actions saveAsRevision': {
    action: 'project.edit',
    of: 'project',
    input: ({ project }) => ({ project, request: {} }),
  },
  'p/[project]/revisions/actions restore': {
    action: 'project.edit',
    of: 'project',
    input: ({ project, revision }) => ({ project, revision, draft: 'main' }),
  },
  'p/[project]/revisions/actions makeDraft': {
    action: 'project.edit',
    of: 'project',
    input: ({ project }) => ({ project, request: { name: 'try' } }),
    ends: true,
  },
  'p/[project]/revisions/actions changeDraftName': {
    action: 'project.edit',
    of: 'project',
    input: ({ project, draft }) => ({ project, draft, name: 'other' }),
    ends: true,
  },
  'p/[project]/revisions/actions dropDraft': {
    action: 'project.edit',
    of: 'project',
    input: ({ project, draft }) => ({ project, draft }),
    ends: true,
  },
  'p/[project]/revisions/actions compare': {
    action: 'project.read',
    of: 'project',
    input: ({ project, revision }) => ({ project, before: revision, after: revision }),
  },
  'p/[project]/members/actions takeBackInProject': {
    action: 'project.members',
    of: 'project',
    input: ({ project, invitation: id }) => ({ project, id }),
    ends: true,
  },
  'p/[project]/members/actions changeMember': {
    action: 'project.members',
    of: 'project',
    input: ({ project, member: userId }) => ({ project, userId, role: 'viewer', answers: false }),
  },
  'p/[project]/members/actions dropMember': {
    action: 'project.members',
    of: 'project',
    input: ({ project, member: userId }) => ({ project, userId }),
    ends: true,
  },
  'actions createBlank': { action: 'project.create', of: 'installation', input: () => ({ name: 'New' }) },
  'actions createFromSample': { action: 'project.create', of: 'installation', input: () => ({ sample: 'pmo' }) },
  'actions duplicate': { action: 'project.read', also: 'project.create', of: 'project', input: inProject },
  'actions rename': { action: 'project.edit', of: 'project', input: ({ project, mark }) => ({ project, name: mark }) },
  'actions remove': { action: 'project.delete', of: 'project', input: inProject, ends: true },
  'compare/actions startBeside': { action: 'run.start', of: 'run', input: ({ run }) => ({ of: run }) },
  'conversation-actions sendMessage': {
    action: 'run.start',
    of: 'project',
    input: ({ project }) => ({ project, message: 'Go' }),
  },
  'conversation-actions deleteConversation': {
    action: 'conversation.delete',
    of: 'project',
    input: ({ project, conversation }) => ({ project, conversation }),
    ends: true,
  },
  'p/[project]/actions save': {
    action: 'project.edit',
    of: 'project',
    input: ({ project, mark }) => ({ project, baseVersion: 1, changes: [{ path: 'note.md', text: mark }] }),
    ends: true,
  },
  'p/[project]/actions start': {
    action: 'run.start',
    of: 'project',
    input: ({ project }) => ({ project, message: 'Go' }),
  },
  'p/[project]/actions beginTask': {
    action: 'run.start',
    of: 'project',
    input: ({ project }) => ({ project, request: { kind: 'probe', server: 'none' }, changes: [] }),
    ends: true,
  },
  'p/[project]/actions endTask': { action: 'run.start', of: 'task', input: ({ task }) => ({ task }) },
  'p/[project]/actions tellServers': {
    action: 'project.edit',
    of: 'project',
    input: ({ project }) => ({ project, news: [{ news: 'renamed', from: 'a', to: 'b' }] }),
  },
  'p/[project]/actions confirm': {
    action: 'project.trust',
    of: 'project',
    input: ({ project }) => ({ project, hash }),
  },
  'command-actions askCommands': { action: 'run.start', of: 'project', input: inProject },
  'settings/commands/actions decide': {
    action: 'installation.commands',
    of: 'installation',
    input: () => ({ id: 'none', decision: 'approve' }),
    misses: true,
  },
  'settings/commands/actions readFile': {
    action: 'installation.commands',
    of: 'installation',
    input: () => ({ id: 'none', path: 'a.py' }),
    misses: true,
  },
  'settings/sign-in-actions listSignIns': { action: 'secrets.set', of: 'project', input: inProject },
  'settings/sign-in-actions startSignIn': {
    action: 'secrets.set',
    andIn: 'run.start',
    of: 'project',
    input: ({ project }) => ({ project, server: 'none' }),
    ends: true,
  },
  'settings/sign-in-actions removeSignIn': {
    action: 'secrets.set',
    of: 'project',
    input: ({ project, signIn }) => ({ project, signIn }),
    ends: true,
  },
  'people-actions answer': {
    action: 'item.answer',
    of: 'item',
    input: ({ item }) => ({ item, decision: 'approve' }),
    ends: true,
  },
  'people-actions answerAll': {
    action: 'item.answer',
    of: 'list',
    input: ({ item }) => ({ items: [item], decision: 'approve' }),
    ends: true,
  },
  'people-actions revoke': { action: 'grant.revoke', of: 'grant', input: ({ grant }) => ({ grant }), ends: true },
  'r/[run]/score-actions score': {
    action: 'score.write',
    of: 'run',
    input: ({ run, mark }) => ({ run, said: { value: 1, note: mark } }),
  },
  'r/[run]/score-actions unscore': {
    action: 'score.write',
    of: 'run',
    input: ({ run, score }) => ({ run, score }),
    ends: true,
  },
  'r/[run]/share-actions listLinks': { action: 'run.share', of: 'run', input: ({ run }) => ({ run }) },
  'r/[run]/share-actions makeLink': { action: 'run.share', of: 'run', input: ({ run }) => ({ run }) },
  'r/[run]/share-actions revokeLink': {
    action: 'run.share',
    of: 'run',
    input: ({ run, share: link }) => ({ run, link }),
    ends: true,
  },
  'r/[run]/actions stop': { action: 'run.stop', of: 'run', input: ({ run }) => ({ run }) },
  'r/[run]/actions startAgain': {
    action: 'run.start',
    of: 'project',
    input: ({ project, run }) => ({ project, again: { run, kind: 'again', files: 'recorded' } }),
  },
  'r/[run]/actions pin': {
    action: 'project.edit',
    of: 'project',
    input: ({ project, run, toolCall: seq }) => ({ project, run, seq }),
  },
  'r/[run]/actions unpin': {
    action: 'project.edit',
    of: 'project',
    input: ({ project, pin }) => ({ project, pin }),
    ends: true,
  },
  'runs/actions countChosen': { action: 'run.delete', of: 'list', input: ({ run }) => ({ ids: [run] }) },
  'runs/actions removeChosen': { action: 'run.delete', of: 'list', input: ({ run }) => ({ ids: [run] }), ends: true },
  'notices/actions markNotices': { action: 'project.read', of: 'list', input: () => ({ ids: 'all' }) },
  'notices/actions chooseGroup': {
    action: 'account.self',
    of: 'installation',
    input: () => ({ group: 'runs', inApp: true, mail: false }),
  },
  'runs/actions saveFilter': { action: 'installation.use', of: 'list', input: () => ({ name: 'Mine', query: '' }) },
  'runs/actions deleteFilter': { action: 'installation.use', of: 'list', input: () => ({ name: 'Mine' }) },
  'settings/actions previewRule': {
    action: 'settings.change',
    of: 'project',
    input: ({ project }) => ({ project, rule }),
  },
  'settings/actions saveRule': {
    action: 'settings.change',
    of: 'project',
    input: ({ project }) => ({ project, rule }),
  },
  'settings/limit-actions saveLimits': {
    action: 'settings.change',
    of: 'installation',
    input: () => ({ runs: noRunLimits, budget: noBudget }),
  },
  'settings/limit-actions saveBudget': {
    action: 'settings.change',
    of: 'project',
    input: ({ project }) => ({ project, budget: noBudget }),
    ends: true,
  },
  'settings/notification-actions readTargets': { action: 'settings.change', of: 'list', input: () => ({}) },
  'settings/notification-actions createWebhook': {
    action: 'settings.change',
    of: 'project',
    input: ({ project, mark }) => ({ project, url: `https://${mark}.example.org/new`, groups: ['questions'] }),
    ends: true,
  },
  'settings/notification-actions createMail': {
    action: 'settings.change',
    of: 'project',
    input: ({ project }) => ({ project, address: 'ann@example.org', groups: ['questions'], mayAnswer: false }),
  },
  'settings/notification-actions readTellLine': { action: 'settings.change', of: 'project', input: inProject },
  'settings/notification-actions saveTellLine': {
    action: 'settings.change',
    of: 'project',
    input: ({ project }) => ({ project, usd: 1, seconds: 60 }),
  },
  'settings/notification-actions changeSecret': { action: 'settings.change', of: 'target', input: target },
  'settings/notification-actions deleteTarget': { action: 'settings.change', of: 'target', input: target, ends: true },
  'settings/notification-actions sendTest': { action: 'settings.change', of: 'target', input: target, ends: true },
  'settings/policy/actions readRules': { action: 'project.read', of: 'project', input: inProject },
  'settings/policy/actions saveRule': {
    action: 'policy.set',
    of: 'project',
    input: ({ project, mark }) => ({
      project,
      rule: { name: mark, level: 'warn', demand: { kind: 'no_shell' } },
    }),
  },
  'settings/policy/actions removeRule': {
    action: 'policy.set',
    of: 'project',
    input: ({ project, rule: name }) => ({ project, name }),
    ends: true,
  },
  'settings/secret-actions listSecrets': { action: 'secrets.set', of: 'project', input: inProject },
  'settings/secret-actions saveSecret': {
    action: 'secrets.set',
    of: 'project',
    input: (full) => ({ ...secret(full), value: 'a-value-of-some-length' }),
    makes: true,
  },
  'settings/secret-actions removeSecret': { action: 'secrets.set', of: 'project', input: secret, ends: true },
  'settings/secret-actions beginKeyTest': {
    action: 'secrets.set',
    of: 'project',
    input: ({ project }) => ({ project, name: 'OPENAI_API_KEY' }),
    ends: true,
  },
};
