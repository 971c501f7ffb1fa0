import type { ScreenModule } from '@/stage/scene';

/** Every screen that the stage shows. */
export const screens: readonly ScreenModule[] = [
  { id: 'projects', load: async () => (await import('./projects')).projects },
  { id: 'editor', tests: 3, load: async () => (await import('./editor')).editor },
  { id: 'runs', tests: 2, load: async () => (await import('./runs')).runs },
  { id: 'run', tests: 4, load: async () => (await import('./run')).runPage },
  { id: 'shared-run', tests: 2, load: async () => (await import('./shared-run')).sharedRun },
  { id: 'inbox', tests: 2, load: async () => (await import('./inbox')).inbox },
  { id: 'reviews', load: async () => (await import('./team')).reviews },
  { id: 'review', tests: 2, load: async () => (await import('./review')).review },
  { id: 'revisions', load: async () => (await import('./revisions')).revisions },
  { id: 'triggers', load: async () => (await import('./triggers')).triggers },
  { id: 'tests', tests: 2, load: async () => (await import('./tests')).tests },
  { id: 'chat', tests: 2, load: async () => (await import('./chat')).chat },
  { id: 'compare', tests: 2, load: async () => (await import('./compare')).compare },
  { id: 'members', load: async () => (await import('./team')).membersScreen },
  { id: 'notices', load: async () => (await import('./team')).notices },
  { id: 'settings', tests: 4, load: async () => (await import('./settings')).settings },
  { id: 'people', tests: 2, load: async () => (await import('./people')).people },
  { id: 'policy', load: async () => (await import('./policy')).policy },
  { id: 'commands', load: async () => (await import('./commands')).commandsScreen },
  { id: 'audit', load: async () => (await import('./audit')).audit },
  { id: 'account', load: async () => (await import('./account')).account },
  { id: 'kit', tests: 2, load: async () => (await import('./kit')).kit },
];
