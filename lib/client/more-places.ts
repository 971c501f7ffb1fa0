import type { ProjectAccess } from '@/lib/base/project-access';
import { importReportHref, membersHref, policyHref, revisionsHref, secretsHref } from './project-address';
import type { ProjectPlace } from './project-places';

/** The places that are used less often. The bar has them in its menu. */
export const morePlaces: readonly ProjectPlace[] = [
  {
    id: 'members',
    name: 'Members',
    href: membersHref,
    words: ['people', 'share', 'invite', 'roles', 'access', 'team', 'collaborators'],
    ofAccounts: true,
  },
  {
    id: 'drafts',
    name: 'Drafts',
    href: (project) => `${revisionsHref(project)}#drafts`,
    words: ['branches', 'new draft', 'working copy'],
  },
  {
    id: 'clone',
    name: 'Git, MCP and A2A addresses',
    href: (project) => `${revisionsHref(project)}#programs`,
    words: ['git', 'clone', 'mcp', 'a2a', 'address', 'url', 'api', 'share', 'programs'],
  },
  {
    id: 'mirror',
    name: 'Mirror to a git server',
    href: (project) => `${revisionsHref(project)}#mirror`,
    words: ['git', 'github', 'gitlab', 'push', 'backup'],
  },
  {
    id: 'import-report',
    name: 'Import report',
    href: importReportHref,
    words: ['what was lost', 'dialect', 'claude code', 'files', 'converted', 'kept', 'not read'],
  },
  {
    id: 'secrets',
    name: 'Secrets of this project',
    href: secretsHref,
    words: ['keys', 'api key', 'tokens', 'passwords', 'credentials', 'env'],
    needs: 'manage',
  },
  {
    id: 'rules',
    name: 'Rules for this project',
    href: policyHref,
    words: ['policy', 'guardrails', 'limits', 'allowed models'],
  },
];

/** Returns whether a person is offered a place of a project that they may read. */
export function isOffered({ needs, ofAccounts }: ProjectPlace, access: ProjectAccess): boolean {
  if (ofAccounts === true && !access.accounts) return false;
  return needs === undefined || access.rights.includes(needs);
}
