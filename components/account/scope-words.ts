import { type Scope, scopes } from '@/lib/base/rights';

/** What a scope allows: a name, and a sentence that completes "The token may …". */
export const scopeWords: Readonly<Record<Scope, { readonly name: string; readonly may: string }>> = {
  read: { name: 'Read', may: 'see projects, runs and questions.' },
  run: { name: 'Run', may: 'start, stop and import runs.' },
  answer: { name: 'Answer', may: 'answer what runs ask people.' },
  edit: { name: 'Edit', may: 'change projects, delete and share runs.' },
  review: { name: 'Review', may: 'review changes of projects.' },
  manage: { name: 'Manage', may: 'delete projects, set their secrets and members, and read their audit log.' },
  create: { name: 'Create', may: 'make projects.' },
  administer: { name: 'Administer', may: 'do what administrators do for the whole installation.' },
  ingest: { name: 'Send traces', may: 'send traces of other tools, and nothing else.' },
};

/** Scopes that a token of one project cannot have. */
export const installationScopes: readonly Scope[] = ['create', 'administer'];

/** Returns the names of scopes as a list: "Read, Run". */
export function scopeNames(given: readonly Scope[]): string {
  return scopes
    .filter((scope) => given.includes(scope))
    .map((scope) => scopeWords[scope].name)
    .join(', ');
}

/** Returns what an administrator, or another person, may choose for a token of one project or of all. */
export function scopesToChoose(isAdministrator: boolean, hasProject: boolean): readonly Scope[] {
  return scopes.filter(
    (scope) => (scope !== 'administer' || isAdministrator) && !(hasProject && installationScopes.includes(scope)),
  );
}
