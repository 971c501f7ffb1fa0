import type { ProjectId, RunId } from './ids';

/*
 * Who may do what. An action needs a right; a person has rights in a project through a role, and in the installation as one of its people
 * or as an administrator; a token narrows them. docs/accounts.md explains it to users.
 */

/** The roles of a project. Each has the right of the same place in `ladder`, and those before it. */
export const roles = ['viewer', 'runner', 'editor', 'reviewer', 'admin'] as const;
export type Role = (typeof roles)[number];

const ladder = ['read', 'run', 'edit', 'review', 'manage'] as const;

/** A right in a project. `answer`, to answer what runs ask people, belongs to no role: it is given with each membership. */
export type ProjectRight = (typeof ladder)[number] | 'answer';

/** What administrators and the one person without accounts have. */
export const everyProjectRight: readonly ProjectRight[] = [...ladder, 'answer'];

/** `use`: everybody who is signed in. `create`: make projects. `administer`: administrators. `self`: a person in a browser, about themselves. */
export type InstallationRight = 'use' | 'create' | 'administer' | 'self';

/** What a token may be given. `ingest` is only for sending runs of other tools. */
export const scopes = ['read', 'run', 'answer', 'edit', 'review', 'manage', 'create', 'administer', 'ingest'] as const;
export type Scope = (typeof scopes)[number];

export interface Membership {
  readonly role: Role;
  /** Whether the person may answer what runs of the project ask. */
  readonly answers: boolean;
}

/** What a signed-in person reaches. */
export interface PersonReach {
  readonly kind: 'person';
  readonly userId: string;
  readonly name: string;
  readonly isAdministrator: boolean;
  /** False where only administrators make projects, and the person is none. */
  readonly makesProjects?: boolean;
  readonly members: ReadonlyMap<ProjectId, Membership>;
  /** True where everybody needs a second factor and this person has none. Then the person may only change how to sign in. */
  readonly lacksSecondFactor?: boolean;
  /** Set when a token speaks for the person. It narrows what the person may do. */
  readonly token?: { readonly id: string; readonly scopes: readonly Scope[]; readonly project?: ProjectId | undefined };
}

/** What somebody with a share link reaches: one run, read-only. */
export interface ShareReach {
  readonly kind: 'share';
  /** The id of the link. */
  readonly link: string;
  /** The address that it is used from. */
  readonly address: string;
  readonly run: RunId;
  readonly project: ProjectId;
  /** Whether messages, arguments and results may be read. */
  readonly texts: boolean;
}

/** `all` is that of the one person of an installation without accounts. */
export type Reach = 'all' | PersonReach | ShareReach;

interface ActionRule {
  readonly needs: ProjectRight | InstallationRight;
  /** Completes "You may not …". */
  readonly words: string;
}

/** Every action that is decided on. What admins of a project do there, administrators do for the installation. */
export const actions = {
  'project.read': { needs: 'read', words: 'open this project' },
  'project.export': { needs: 'read', words: 'export this project' },
  'project.edit': { needs: 'edit', words: 'change this project' },
  'project.review': { needs: 'review', words: 'publish, promote or roll back revisions of this project' },
  'review.write': { needs: 'edit', words: 'open reviews of this project or comment on them' },
  'review.decide': { needs: 'review', words: 'approve changes of this project or ask for others' },
  'project.override': { needs: 'manage', words: 'publish past the checks of this project' },
  'project.delete': { needs: 'manage', words: 'delete this project' },
  'project.trust': { needs: 'manage', words: 'confirm what this project starts and calls' },
  'project.members': { needs: 'manage', words: 'change who works on this project' },
  'secrets.set': { needs: 'manage', words: 'set these secrets' },
  'policy.set': { needs: 'manage', words: 'change these rules' },
  'settings.change': { needs: 'manage', words: 'change these settings' },
  'audit.read': { needs: 'manage', words: 'read this audit log' },
  'project.create': { needs: 'create', words: 'make projects' },
  'run.read': { needs: 'read', words: 'see this run' },
  'run.texts': { needs: 'read', words: 'read the texts of this run' },
  'run.start': { needs: 'run', words: 'start runs and tests in this project' },
  'trigger.set': { needs: 'edit', words: 'change triggers of this project' },
  'run.stop': { needs: 'run', words: 'stop runs of this project' },
  'run.import': { needs: 'run', words: 'import runs into this project' },
  'run.delete': { needs: 'edit', words: 'delete runs of this project' },
  'run.share': { needs: 'edit', words: 'share runs of this project by link' },
  'score.read': { needs: 'read', words: 'see the scores of this run' },
  'score.write': { needs: 'edit', words: 'score runs of this project' },
  'conversation.delete': { needs: 'run', words: 'delete conversations of this project' },
  'item.read': { needs: 'read', words: 'see this question' },
  'item.answer': { needs: 'answer', words: 'answer what runs of this project ask' },
  'grant.revoke': { needs: 'answer', words: 'revoke remembered approvals of this project' },
  'installation.use': { needs: 'use', words: 'use Callboard' },
  'installation.read': { needs: 'administer', words: 'see the settings of this installation' },
  'installation.people': { needs: 'administer', words: 'change who may use this installation' },
  'installation.commands': { needs: 'administer', words: 'approve commands' },
  'account.enter': { needs: 'self', words: 'change with a token how you sign in' },
  'account.self': { needs: 'self', words: 'change an account with a token' },
} as const satisfies Readonly<Record<string, ActionRule>>;
export type Action = keyof typeof actions;

/** `unseen`: the person may not even know that the project exists. */
export type Decision = 'allowed' | 'refused' | 'unseen';

/** Decides about an action in a project, or in the installation if `project` is null. */
export function decide(reach: Reach, action: Action, project: ProjectId | null): Decision {
  if (reach === 'all') return 'allowed';
  const { needs }: ActionRule = actions[action];
  if (reach.kind === 'share') return decideForLink(reach, action, project);
  if (reach.lacksSecondFactor === true && action !== 'account.enter') return 'refused';
  if (project === null) return mayInInstallation(reach, needs) ? 'allowed' : 'refused';
  const rights = rightsIn(reach, project);
  if (action === 'run.import' && isIngest(reach) && personRights(reach, project).has('run')) return 'allowed';
  if (!rights.has('read')) return 'unseen';
  return isProjectRight(needs) && rights.has(needs) ? 'allowed' : 'refused';
}

/** Decides for a share link. The project of the run is all that the caller has to name. */
function decideForLink({ project: own, texts }: ShareReach, action: Action, project: ProjectId | null): Decision {
  if (project !== own) return 'unseen';
  if (action === 'run.read') return 'allowed';
  return action === 'run.texts' && texts ? 'allowed' : 'refused';
}

/** Returns the rights in a project. Empty: the project is hidden from the person. */
export function rightsIn(reach: Reach, project: ProjectId): ReadonlySet<ProjectRight> {
  if (reach === 'all') return new Set(everyProjectRight);
  if (reach.kind === 'share') return new Set();
  if (reach.lacksSecondFactor === true) return new Set();
  const own = personRights(reach, project);
  const { token } = reach;
  if (token === undefined) return own;
  const given: readonly string[] = token.scopes;
  const kept = [...own].filter((right) => right !== 'read' && given.includes(right));
  // Whoever may change something may also read it.
  const reads = own.has('read') && given.some((scope) => isProjectRight(scope));
  return new Set(reads ? ['read', ...kept] : []);
}

/** Returns what the person may do in the project without a token. A token of another project has nothing here. */
function personRights(reach: PersonReach, project: ProjectId): ReadonlySet<ProjectRight> {
  const only = reach.token?.project;
  if (only !== undefined && only !== project) return new Set();
  if (reach.isAdministrator) return new Set(everyProjectRight);
  const member = reach.members.get(project);
  if (member === undefined) return new Set();
  return new Set([...rightsOfRole(member.role), ...(member.answers ? (['answer'] as const) : [])]);
}

/** Returns the rights that a role has. */
export function rightsOfRole(role: Role): readonly ProjectRight[] {
  return ladder.slice(0, roles.indexOf(role) + 1);
}

/** Returns the least role that has a right, or `undefined` for a right that no role has. */
export function roleFor(right: ProjectRight | InstallationRight): Role | undefined {
  const places: readonly string[] = ladder;
  return roles[places.indexOf(right)];
}

function mayInInstallation(reach: PersonReach, needs: ActionRule['needs']): boolean {
  const { token } = reach;
  switch (needs) {
    case 'use':
      return true;
    case 'self':
      return token === undefined;
    case 'create':
      return (
        reach.makesProjects !== false &&
        (token === undefined || (token.project === undefined && token.scopes.includes('create')))
      );
    default:
      // What belongs to no project is for administrators.
      return (
        reach.isAdministrator &&
        (token === undefined || (token.project === undefined && token.scopes.includes('administer')))
      );
  }
}

function isIngest({ token }: PersonReach): boolean {
  return token?.scopes.includes('ingest') === true;
}

function isProjectRight(text: string): text is ProjectRight {
  return text === 'answer' || ladder.some((right) => right === text);
}

/** The projects in which an action is allowed: all of them, or only these. */
export type ProjectScope = 'all' | readonly ProjectId[];

/** Returns where an action that needs a right in a project is allowed. */
export function scopeFor(reach: Reach, action: Action): ProjectScope {
  if (reach === 'all') return 'all';
  // A link shows one run. A list would show others of the project.
  if (reach.kind === 'share') return [];
  if (reach.lacksSecondFactor === true) return [];
  const only = reach.token?.project;
  const candidates = only !== undefined ? [only] : reach.isAdministrator ? undefined : [...reach.members.keys()];
  if (candidates === undefined) return rightsAnywhere(reach).has(actions[action].needs) ? 'all' : [];
  return candidates.filter((project) => decide(reach, action, project) === 'allowed');
}

/** Returns the rights of an administrator, whose token may narrow them. The project does not matter. */
function rightsAnywhere(reach: PersonReach): ReadonlySet<string> {
  const { token } = reach;
  if (token === undefined) return new Set(everyProjectRight);
  return new Set([...token.scopes, ...(token.scopes.some(isProjectRight) ? ['read'] : [])]);
}
