import type { ScreenModule } from '@/stage/scene';

/** Every screen that the stage shows. */
export const screens: readonly ScreenModule[] = [
  { id: 'projects', load: async () => (await import('./projects')).projects },
  { id: 'editor', tests: 2, load: async () => (await import('./editor')).editor },
  { id: 'runs', tests: 2, load: async () => (await import('./runs')).runs },
  { id: 'run', tests: 4, load: async () => (await import('./run')).runPage },
  { id: 'inbox', tests: 2, load: async () => (await import('./inbox')).inbox },
  { id: 'reviews', load: async () => (await import('./team')).reviews },
  { id: 'members', load: async () => (await import('./team')).membersScreen },
  { id: 'notices', load: async () => (await import('./team')).notices },
  { id: 'kit', tests: 2, load: async () => (await import('./kit')).kit },
];
