import type { ProjectAccess } from '@/lib/base/project-access';
import type { ProjectRight } from '@/lib/base/rights';
import {
  chatHref,
  editorHref,
  membersHref,
  policyHref,
  reviewsHref,
  revisionsHref,
  runsOfProjectHref,
  secretsHref,
  testsHref,
  triggersHref,
} from './project-address';

/** A place of a project: one of its pages, or a part of a page. */
export interface ProjectPlace {
  readonly id: string;
  readonly name: string;
  readonly href: (project: string) => string;
  /** Other words that people use for it, in lower case. The command palette finds the place by them. */
  readonly words: readonly string[];
  /** The right in the project that the place needs beside `read`. */
  readonly needs?: ProjectRight;
  /** True if the place is only there where people have accounts. */
  readonly ofAccounts?: true;
}

/** The pages that the bar of a project shows as words, in their order. */
export const projectPages = [
  {
    id: 'editor',
    name: 'Editor',
    href: (project) => editorHref(project, 'main'),
    words: ['canvas', 'graph', 'draw', 'build', 'edit', 'agents', 'cards', 'flow'],
  },
  {
    id: 'chat',
    name: 'Chat',
    href: (project) => chatHref(project),
    words: ['talk', 'conversation', 'message', 'ask', 'assistant'],
  },
  {
    id: 'runs',
    name: 'Runs',
    href: runsOfProjectHref,
    words: ['history', 'executions', 'traces', 'logs', 'timeline', 'results', 'cost'],
  },
  {
    id: 'tests',
    name: 'Tests',
    href: testsHref,
    words: ['fixtures', 'regression', 'replay', 'check', 'evaluate'],
  },
  {
    id: 'revisions',
    name: 'Revisions',
    href: revisionsHref,
    words: ['versions', 'releases', 'live', 'roll back', 'restore', 'labels', 'compare'],
  },
  {
    id: 'reviews',
    name: 'Reviews',
    href: (project) => reviewsHref(project),
    words: ['approve', 'pull request', 'merge request', 'comments', 'changes'],
  },
  {
    id: 'triggers',
    name: 'Triggers',
    href: triggersHref,
    words: ['schedule', 'cron', 'webhook', 'timer', 'automation'],
  },
] as const satisfies readonly ProjectPlace[];

export type ProjectPageId = (typeof projectPages)[number]['id'];

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
