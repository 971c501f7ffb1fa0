import { type AuditAction, type AuditEntry, auditActions } from '@/lib/base/audit';
import { isRecord, parseJson } from '@/lib/base/json';
import { draftWords } from '@/lib/base/release-names';

/** The filters of the page. Every action is in one of them. */
export const auditGroups: readonly { readonly name: string; readonly actions: readonly AuditAction[] }[] = [
  { name: 'Answers', actions: ['item.answered', 'grant.given', 'grant.revoked'] },
  {
    name: 'Projects',
    actions: [
      'project.created',
      'project.renamed',
      'project.deleted',
      'draft.deleted',
      'capabilities.confirmed',
      'capabilities.needed',
    ],
  },
  {
    name: 'Revisions',
    actions: ['revision.published', 'revision.promoted', 'revision.rolled_back', 'gate.overridden'],
  },
  {
    name: 'Reviews',
    actions: [
      'review.opened',
      'review.version_added',
      'review.approved',
      'review.changes_requested',
      'review.verdict_withdrawn',
      'review.suggestion_applied',
      'review.withdrawn',
      'review.policy_set',
    ],
  },
  { name: 'Mirrors', actions: ['mirror.set', 'mirror.removed', 'mirror.pushed', 'mirror.failed'] },
  { name: 'Policy', actions: ['policy.set', 'policy.removed'] },
  { name: 'Commands', actions: ['command.asked', 'command.approved', 'command.denied', 'command.revoked'] },
  {
    name: 'Exports',
    actions: ['project.exported', 'run.exported', 'runs.exported', 'session.exported', 'audit.exported'],
  },
  {
    name: 'Secrets',
    actions: [
      'secret.set',
      'secret.removed',
      'secret.used',
      'secret.tested',
      'secret_key.replaced',
      'secrets.sealed_anew',
      'server.signed_in',
      'server.signed_out',
    ],
  },
  { name: 'Tokens', actions: ['token.created', 'token.revoked'] },
  { name: 'Share links', actions: ['share.created', 'share.revoked'] },
  {
    name: 'Runs and retention',
    actions: [
      'tool.tried',
      'runs.binned',
      'runs.restored',
      'runs.deleted',
      'conversation.deleted',
      'retention.changed',
      'limits.changed',
    ],
  },
  {
    name: 'Sign-ins',
    actions: [
      'person.signed_in',
      'person.sign_in_failed',
      'person.signed_out',
      'person.sessions_revoked',
      'person.password_changed',
      'person.second_factor_changed',
      'person.passkey_added',
      'person.passkey_removed',
      'person.identity_linked',
      'person.identity_forgotten',
    ],
  },
  {
    name: 'People and roles',
    actions: [
      'person.added',
      'person.activated',
      'person.deactivated',
      'person.administrator_changed',
      'person.reset_link_made',
      'installation.project_makers',
      'installation.second_factor',
      'invitation.made',
      'invitation.accepted',
      'invitation.revoked',
      'member.set',
      'member.removed',
    ],
  },
  { name: 'Triggers', actions: ['trigger.added', 'trigger.changed', 'trigger.removed', 'trigger.stopped'] },
  { name: 'Backups', actions: ['backup.made', 'backup.restored'] },
  {
    name: 'Notifications',
    actions: [
      'alert.added',
      'alert.changed',
      'alert.removed',
      'notice_line.set',
      'notice_target.added',
      'notice_target.changed',
      'notice_target.removed',
    ],
  },
];

type Words = (body: Readonly<Record<string, unknown>>) => string;

const decided: Readonly<Record<string, string>> = {
  approve: 'approved',
  edit: 'changed and approved',
  deny: 'denied',
  answer: 'answered',
};
const aboutTool = ({ tool, kind }: Readonly<Record<string, unknown>>) =>
  tool === undefined ? `a question (${kind})` : `${tool}`;

const commandWords: Readonly<Record<string, string>> = {
  stdio: 'the command of server',
  python: 'the Python of',
  shell: 'the shell of agent',
};
const aboutCommand = ({ kind, name }: Readonly<Record<string, unknown>>) =>
  `${commandWords[`${kind}`] ?? 'a command'} ${name}`;
const asWhat = (role: unknown, administrator: unknown) =>
  (typeof role === 'string' ? ` as ${role}` : '') + (administrator === true ? ' as administrator' : '');
const wayWords: Readonly<Record<string, string>> = {
  password: 'a password',
  code: 'a code of the second factor',
  backup: 'a backup code',
  passkey: 'a passkey',
  provider: 'the provider of sign-ins',
  invitation: 'an invitation',
};
const factorWords: Readonly<Record<string, string>> = {
  on: 'switched the second factor on',
  off: 'switched the second factor off',
  codes: 'made new backup codes',
  reset: 'removed a second factor that was lost',
};

const triggerWords: Readonly<Record<string, string>> = {
  on: 'switched on',
  off: 'switched off',
  secret: 'made a new secret for',
};

const wording: Record<AuditAction, Words> = {
  'alert.added': ({ figure }) => `added an alert on ${figure}`,
  'alert.changed': ({ enabled }) => `changed an alert${enabled === false ? ', which is off' : ''}`,
  'alert.removed': () => 'removed an alert',
  'audit.exported': () => 'exported the audit log',
  'backup.made': () => 'made a backup of the database',
  'backup.restored': () => 'restored the database from a backup',
  'capabilities.confirmed': ({ items }) => `confirmed what the project may start and call (${items} entries)`,
  'capabilities.needed': () =>
    'brought something from elsewhere into the project, which asks from then on before it starts more',
  'command.approved': (body) => `approved ${aboutCommand(body)}`,
  'command.asked': (body) => `asked an administrator to approve ${aboutCommand(body)}`,
  'command.denied': (body) => `denied ${aboutCommand(body)}`,
  'command.revoked': (body) => `revoked the approval of ${aboutCommand(body)}`,
  'conversation.deleted': ({ agent }) => `deleted a conversation with ${agent}`,
  'draft.deleted': ({ draft, revision }) => `deleted the draft ${draft}, which is kept as revision ${revision}`,
  'gate.overridden': ({ revision, checks, reason }) =>
    `overrode checks (${checks}) for revision ${revision}: ${reason}`,
  'grant.given': (body) => `remembered an approval of ${aboutTool(body)} for this ${body.scope}`,
  'grant.revoked': (body) => `revoked the remembered approval of ${aboutTool(body)}`,
  'installation.project_makers': ({ administrators }) =>
    administrators === true ? 'let only administrators make projects' : 'let everybody make projects',
  'installation.second_factor': ({ required }) =>
    required === true ? 'required a second factor of everybody' : 'left the second factor to everybody',
  'invitation.accepted': ({ role, administrator }) => `accepted an invitation${asWhat(role, administrator)}`,
  'invitation.made': ({ email, role, administrator }) => `invited ${email}${asWhat(role, administrator)}`,
  'invitation.revoked': ({ email }) => `took back the invitation of ${email}`,
  'item.answered': (body) => `${decided[`${body.decision}`] ?? 'answered'} ${aboutTool(body)}`,
  'member.removed': ({ email }) => `removed ${email} from the project`,
  'member.set': ({ email, role, answers }) =>
    `made ${email} ${role} of the project, who ${answers === true ? 'may' : 'may not'} answer questions`,
  'mirror.failed': ({ host, reason }) => `could not push to the mirror at ${host}: ${reason}`,
  'mirror.pushed': ({ host, revision }) => `pushed revision ${revision} to the mirror at ${host}`,
  'mirror.removed': ({ url }) => `removed the mirror ${url}`,
  'mirror.set': ({ url, secret }) => `set the mirror ${url} with the secret ${secret}`,
  'notice_line.set': () => 'changed the line above which people are told of runs',
  'notice_target.added': ({ kind }) => `added a ${kind === 'mail' ? 'mail address' : 'webhook'} for notifications`,
  'notice_target.changed': () => 'made a new secret for a webhook',
  'notice_target.removed': () => 'removed an address of notifications',
  'person.activated': ({ email }) => `activated the account of ${email}`,
  'person.added': ({ administrator }) =>
    administrator === true ? 'made an account as administrator' : 'came with the provider of sign-ins',
  'person.administrator_changed': ({ email, administrator }) =>
    administrator === true ? `made ${email} an administrator` : `took the rights of an administrator from ${email}`,
  'person.deactivated': ({ email }) => `deactivated the account of ${email}`,
  'person.identity_forgotten': ({ email }) => `unlinked the identity at the provider of sign-ins of ${email}`,
  'person.identity_linked': () => 'linked an identity at the provider of sign-ins',
  'person.passkey_added': ({ name }) => `added the passkey ${name}`,
  'person.passkey_removed': ({ name }) => `removed the passkey ${name}`,
  'person.password_changed': ({ passkeys, tokens }) =>
    passkeys === undefined
      ? 'changed the password'
      : `set a new password with a link, which ended passkeys (${passkeys}) and tokens (${tokens})`,
  'person.reset_link_made': ({ email }) => `made a link that sets a new password for ${email}`,
  'person.second_factor_changed': ({ change }) => factorWords[`${change}`] ?? 'changed the second factor',
  'person.sessions_revoked': ({ email, count }) =>
    `ended ${count === 1 ? 'a session' : `${count} sessions`} of ${email}`,
  'person.sign_in_failed': ({ with: way, address, more }) => {
    const tries = more === undefined ? '' : ` ${more} more ${more === 1 ? 'time' : 'times'}`;
    return `failed to sign in${tries} with ${wayWords[`${way}`] ?? way} from ${address}`;
  },
  'person.signed_in': ({ with: way, address }) => `signed in with ${wayWords[`${way}`] ?? way} from ${address}`,
  'person.signed_out': () => 'signed out',
  'project.created': ({ name }) => `created the project ${name}`,
  'project.deleted': ({ name }) => `deleted the project ${name}`,
  'project.exported': ({ form }) =>
    form === 'fast-agent' ? 'exported the project for fast-agent' : 'exported the folder',
  'project.renamed': ({ name }) => `renamed the project to ${name}`,
  'limits.changed': ({ budget }) =>
    budget === undefined ? 'changed the limits' : budget === null ? 'removed its own budget' : 'changed its budget',
  'retention.changed': ({ rule }) =>
    rule === null ? 'removed its own retention rule' : 'changed for how long runs are kept',
  'review.approved': ({ review, revision }) => `approved revision ${revision} in review ${review}`,
  'review.changes_requested': ({ review, revision }) => `asked for changes of revision ${revision} in review ${review}`,
  'review.opened': ({ review, draft }) => `opened review ${review} of the ${draftWords(String(draft))}`,
  'review.policy_set': ({ approvals }) => `changed what a review needs (approvals: ${approvals})`,
  'review.suggestion_applied': ({ review }) => `applied a suggestion of review ${review}`,
  'review.verdict_withdrawn': ({ review }) => `withdrew a verdict in review ${review}`,
  'review.version_added': ({ review, version }) => `added version ${version} to review ${review}`,
  'review.withdrawn': ({ review }) => `withdrew review ${review}`,
  'revision.promoted': ({ revision, label }) => `gave revision ${revision} the label ${label}`,
  'revision.published': ({ revision }) => `published revision ${revision}`,
  'revision.rolled_back': ({ revision, before, label }) =>
    `rolled ${label} back from revision ${before} to revision ${revision}`,
  'run.exported': ({ form }) => `exported a run (${form})`,
  'runs.binned': ({ deleted }) => `put ${deleted === 1 ? 'a run' : `${deleted} runs`} into the bin`,
  'runs.deleted': ({ deleted }) => `deleted ${deleted === 1 ? 'a run' : `${deleted} runs`} for good`,
  'runs.exported': () => 'exported the list of runs',
  'runs.restored': ({ restored }) => `restored ${restored === 1 ? 'a run' : `${restored} runs`} from the bin`,
  'policy.removed': () => 'removed a rule of the policy',
  'policy.set': ({ sentence }) => `set a rule of the policy: ${sentence}`,
  'secret.removed': () => 'removed a secret',
  'secret.set': ({ hosts }) =>
    Array.isArray(hosts) && hosts.length > 0 ? `set a secret for ${hosts.join(', ')}` : 'set a secret',
  'secret.tested': ({ stored }) => (stored === true ? 'tested a stored key at its provider' : 'tested a key'),
  'secret.used': () => 'gave a secret to runs or the mirror of the project, first today',
  'secret_key.replaced': () => 'made a new key for secrets with the command line',
  'secrets.sealed_anew': ({ secrets, notifications, signIns, triggers }) =>
    `sealed with the new key: secrets (${secrets}), webhooks of notifications (${notifications}), sign-ins at servers ` +
    `(${signIns}), webhooks of triggers (${triggers})`,
  'server.signed_in': ({ host, provider }) => `signed in at ${provider} for the server ${host}`,
  'server.signed_out': ({ host }) => `forgot the sign-in at the server ${host}`,
  'session.exported': () => 'exported a session',
  'share.created': ({ prefix, hours, texts }) =>
    `made the link ${prefix}… to a run, ${texts === true ? 'with' : 'without'} texts, for ${hours} hours`,
  'share.revoked': ({ prefix }) => `revoked the link ${prefix}… to a run`,
  'token.created': ({ name, prefix }) => `made the token ${name} (${prefix}…)`,
  'token.revoked': ({ name, prefix, owner }) => `revoked the token ${name} (${prefix}…) of ${owner}`,
  'tool.tried': ({ agent, approved, unchecked }) =>
    `asked to call the tool of ${agent} in the tool bench${approved === true ? ', and approved the call' : ''}` +
    `${unchecked === true ? ', with arguments that do not fit' : ''}`,
  'trigger.added': ({ name, kind }) => `added the ${kind} ${name}`,
  'trigger.changed': ({ name, change }) => `${triggerWords[`${change}`] ?? 'changed'} the trigger ${name}`,
  'trigger.removed': ({ name }) => `removed the trigger ${name}`,
  'trigger.stopped': ({ name, failures }) =>
    `switched off the trigger ${name} after ${failures === 1 ? 'a failure' : `${failures} failures in a row`}`,
};

/** Says what an entry records, to follow the name of who did it. Entries of newer versions give the name of their action. */
export function auditSentence({ action, body }: Pick<AuditEntry, 'action' | 'body'>): string {
  const known = auditActions.find((each) => each === action);
  const parsed = parseJson(body);
  return known === undefined ? action : wording[known](isRecord(parsed) ? parsed : {});
}
