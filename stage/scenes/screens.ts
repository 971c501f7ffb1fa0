import type { ScreenModule } from '@/stage/scene';

/** Every screen that the stage shows. */
export const screens: readonly ScreenModule[] = [
  { id: 'editor', load: async () => (await import('./editor')).editor },
  { id: 'kit', load: async () => (await import('./kit')).kit },
];
