import type { ProjectRight } from '@/lib/base/rights';
import {
  chatHref,
  editorHref,
  reviewsHref,
  revisionsHref,
  runsOfProjectHref,
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
