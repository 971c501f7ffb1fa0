import type { ScreenModule } from '@/stage/scene';

/** Every screen that the stage shows. */
export const screens: readonly ScreenModule[] = [
  { id: 'projects', load: async () => (await import('./projects')).projects },
  { id: 'editor', load: async () => (await import('./editor')).editor },
  { id: 'runs', load: async () => (await import('./runs')).runs },
  { id: 'inbox', load: async () => (await import('./inbox')).inbox },
  { id: 'reviews', load: async () => (await import('./team')).reviews },
  { id: 'members', load: async () => (await import('./team')).membersScreen },
  { id: 'notices', load: async () => (await import('./team')).notices },
  { id: 'kit', load: async () => (await import('./kit')).kit },
];
