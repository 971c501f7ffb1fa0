import type { ReactNode } from 'react';
import type { Answers } from './memory/backend';

export interface Opened {
  readonly screen: ReactNode;
  readonly answers: Answers;
}

/** One screen in one state: what it is given, and how its services answer. */
export interface Scene {
  /** What is special: `empty`, `failed`, `a thousand runs`. */
  readonly name: string;
  /** The address that the screen believes to be at, with its query. */
  readonly path: string;
  /** Prepares the services and returns the screen. */
  readonly open: () => Opened | Promise<Opened>;
  /** Shown without the rail, as pages for people without an account are. */
  readonly isBare?: boolean;
  /** Services whose answer never comes, so that the state of loading stays. */
  readonly never?: readonly string[];
}

/** The scenes of one screen. `id` is the first part of their addresses: `editor/empty`. */
export interface Screen {
  readonly id: string;
  readonly title: string;
  readonly scenes: readonly Scene[];
}

/** A screen that is loaded when one of its scenes is opened, or the list is. */
export interface ScreenModule {
  readonly id: string;
  /** How many tests share its scenes, so that each ends in time. One by default: about four scenes. */
  readonly tests?: number;
  readonly load: () => Promise<Screen>;
}

/** Returns the address part of a scene: `editor/a-thousand-runs`. */
export function sceneId(screen: Screen, scene: Scene): string {
  return `${screen.id}/${scene.name.toLowerCase().replaceAll(' ', '-')}`;
}
