import { isRecord, parseJson } from '@/lib/base/json';
import type { Presence, PresentWindow } from '@/lib/base/presence';
import { openLasting } from './lasting-stream';
import { projectAddress } from './project-address';

/** Who is in a project, and the saved version of the draft that was asked about. */
export interface Present {
  readonly people: readonly PresentWindow[];
  readonly version: number | undefined;
}

const addressOf = (project: string) => `${projectAddress(project)}/presence`;

/** Runs `onPresent` now and whenever somebody comes, goes or moves, or the draft is saved. Returns an unsubscribe function. */
export function watchPresence(project: string, draft: string, onPresent: (present: Present) => void): () => void {
  return openLasting(`${addressOf(project)}?${new URLSearchParams({ draft })}`, (stream) => {
    stream.onmessage = (message) => {
      const value = parseJson(String(message.data));
      if (!isRecord(value) || !Array.isArray(value.people)) return;
      const version = typeof value.version === 'number' ? value.version : undefined;
      onPresent({ people: value.people.filter(isWindow), version });
    };
  });
}

/** Says where this window is. A request that fails is not repeated: the next one says it again. */
export async function sayPresence(project: string, presence: Presence): Promise<void> {
  await quietly(addressOf(project), {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(presence),
  });
}

/** Says that this window has gone. It is sent even while the page goes away. */
export async function leavePresence(project: string, window: string): Promise<void> {
  await quietly(`${addressOf(project)}?${new URLSearchParams({ window })}`, { method: 'DELETE', keepalive: true });
}

async function quietly(address: string, init: RequestInit): Promise<void> {
  await fetch(address, init).catch(() => undefined);
}

/** Checks what lists need. The others are trusted, because the server wrote them. */
function isWindow(value: unknown): value is PresentWindow {
  if (!isRecord(value) || typeof value.id !== 'string' || typeof value.since !== 'number') return false;
  return Array.isArray(value.selected) && value.selected.every((id) => typeof id === 'string');
}
