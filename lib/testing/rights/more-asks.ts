import { about, type Decided } from './decisions';

const P = '/api/v1/projects/[project]';
const read = about('project', 'project.read');
const start = about('project', 'run.start');
const edit = about('project', 'project.edit');

/** Other ways to name a part of a project than those of route-decisions.ts. The words after an address only tell them apart. */
export const moreRouteAsks: Readonly<Record<string, Decided>> = {
  [`POST ${P}/runs again`]: { ...start, input: ({ run }) => ({ again: { kind: 'again', run } }) },
  [`POST ${P}/runs from a step`]: { ...start, input: ({ run }) => ({ again: { kind: 'from', run, at: 1 } }) },
  [`POST ${P}/runs of an instance`]: {
    ...start,
    input: ({ run }) => ({ again: { kind: 'instance', run, path: 'lead' } }),
  },
  [`POST ${P}/runs in a conversation`]: {
    ...start,
    input: ({ conversation }) => ({ message: 'Go', conversationId: conversation }),
  },
  [`POST ${P}/runs of a revision`]: { ...start, input: ({ revision }) => ({ message: 'Go', revision }) },
  [`POST ${P}/runs of a draft`]: { ...start, input: ({ draft }) => ({ message: 'Go', draft }) },
  [`POST ${P}/tests of a revision`]: { ...start, input: ({ revision }) => ({ names: [], revision }) },
  [`POST ${P}/tests of a draft`]: { ...start, input: ({ draft }) => ({ names: [], draft }) },
  [`GET ${P}/files of a draft`]: { ...read, query: ({ draft }) => `?draft=${draft}` },
  [`PATCH ${P}/files of a draft`]: {
    ...edit,
    input: ({ draft }) => ({ draft, baseVersion: 1, changes: [{ path: 'a.md', text: 'a' }] }),
  },
  [`PATCH ${P}/files by a hash`]: {
    ...edit,
    input: ({ hash }) => ({ baseVersion: 1, changes: [{ path: 'stolen', hash }] }),
  },
  [`POST ${P}/drafts from a draft`]: { ...edit, input: ({ draft }) => ({ name: 'try', draft }) },
  [`POST ${P}/drafts from a revision`]: { ...edit, input: ({ revision }) => ({ name: 'try', revision }) },
  [`POST ${P}/revisions of a draft`]: { ...edit, input: ({ draft }) => ({ draft }) },
  [`POST ${P}/revisions/[number]/restore into a draft`]: { ...edit, input: ({ draft }) => ({ draft }) },
  [`POST ${P}/releases of a draft`]: about('project', 'project.review', { input: ({ draft }) => ({ draft }) }),
  [`POST ${P}/releases of a revision`]: about('project', 'project.review', { input: ({ revision }) => ({ revision }) }),
  [`GET ${P}/releases/check of a draft`]: { ...read, query: ({ draft }) => `?draft=${draft}` },
  [`GET ${P}/releases/check of a revision`]: { ...read, query: ({ revision }) => `?revision=${revision}` },
  [`POST ${P}/reviews of a draft`]: about('project', 'review.write', { input: ({ draft }) => ({ title: 'T', draft }) }),
  [`POST ${P}/triggers of a revision`]: about('project', 'trigger.set', {
    input: ({ revision }) => ({
      ...{ kind: 'schedule', name: 'nightly', message: 'Go', target: { revision } },
      schedule: { cron: '0 2 * * *', zone: 'UTC' },
    }),
  }),
  [`PATCH ${P}/triggers/[trigger] to a revision`]: about('project', 'trigger.set', {
    input: ({ revision }) => ({ target: { revision } }),
  }),
};

/** The same for actions. */
export const moreActionAsks: Readonly<Record<string, Decided>> = {
  'compare/actions startBeside with files': about('run', 'run.start', {
    input: ({ run, asking }) => ({ of: run, files: asking }),
  }),
  'conversation-actions sendMessage in a conversation': about('project', 'run.start', {
    input: ({ project, conversation }) => ({ project, message: 'Go', conversationId: conversation }),
  }),
  'p/[project]/actions beginTask to try a tool': {
    ...edit,
    input: ({ project }) => ({ project, request: { kind: 'tool', agent: 'lead', tool: 'none' }, changes: [] }),
  },
  'p/[project]/tests/actions startTests of a draft': about('project', 'run.start', {
    input: ({ project, draft }) => ({ project, mode: 'replay', names: [], draft }),
  }),
  'p/[project]/revisions/actions restore into a draft': {
    ...edit,
    input: ({ project, revision, draft }) => ({ project, revision, draft }),
  },
};
