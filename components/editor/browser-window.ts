import type { PageWindow } from '@/lib/editor/keep-up';

const idKey = 'callboard:window';
const lockOf = (id: string) => `callboard:window:${id}`;

/**
 * Names this window, with an id that survives a reload. A lock with that name tells other windows that this one is open. A
 * window that was duplicated brings the id of the first, whose lock is taken, and gets an id of its own. Pages that are not
 * a secure context have no locks: every other window counts as closed there, and its unsaved work is shown here too.
 */
export async function openWindow(): Promise<PageWindow> {
  // The type says that locks are always there; they are not on plain HTTP addresses.
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined) return { id: keepId(rememberedId() ?? newId()), isOpen: () => false };
  const before = rememberedId();
  const id = keepId(before !== undefined && (await lock(locks, before)) ? before : await lockNew(locks));
  const { held = [] } = await locks.query();
  const open = new Set(held.map(({ name }) => name));
  return { id, isOpen: (other) => open.has(lockOf(other)) };
}

/** Takes the lock of an id until the page is closed. Resolves to false if another window has it. */
function lock(locks: LockManager, id: string): Promise<boolean> {
  if (mine.has(id)) return Promise.resolve(true);
  return new Promise((resolve) => {
    void locks.request(lockOf(id), { ifAvailable: true }, (got) => {
      resolve(got !== null);
      if (got === null) return undefined;
      mine.add(id);
      return new Promise(() => undefined);
    });
  });
}

/** Ids whose locks this page holds. The editor may be opened several times on one page. */
const mine = new Set<string>();

async function lockNew(locks: LockManager): Promise<string> {
  const id = newId();
  await lock(locks, id);
  return id;
}

function newId(): string {
  const [a = 0, b = 0] = crypto.getRandomValues(new Uint32Array(2));
  return `${a.toString(36)}${b.toString(36)}`;
}

function rememberedId(): string | undefined {
  try {
    return sessionStorage.getItem(idKey) ?? undefined;
  } catch {
    return undefined;
  }
}

function keepId(id: string): string {
  try {
    sessionStorage.setItem(idKey, id);
  } catch {
    // Without storage the id lasts as long as the page.
  }
  return id;
}
