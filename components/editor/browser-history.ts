import { isRecord } from '@/lib/base/json';
import type { HistoryStorage } from '@/lib/editor/keep-up';

/** For one window of a project; the key is [project, window]. */
interface Row {
  readonly project: string;
  readonly window: string;
  readonly at: number;
  readonly history: unknown;
}

/** Each project keeps the steps of so many windows, and the browser those of so many windows of all projects. */
const windowsOfProject = 3;
const windowsKept = 20;

/** Keeps steps of undo in the browser's IndexedDB. A browser that forbids that keeps none. */
export const browserHistory: HistoryStorage = {
  async read(project, window) {
    const rows = await allRows();
    const own = (row: Row) => (row.window === window ? 1 : 0);
    return rows
      .filter((row) => row.project === project)
      .sort((a, b) => own(b) - own(a) || b.at - a.at)
      .map((row) => row.history);
  },
  write(project, window, history) {
    const row: Row = { project, window, at: Date.now(), history };
    void opened().then((database) => {
      if (database === undefined) return;
      try {
        const change = database.transaction('history', 'readwrite', { durability: 'relaxed' });
        change.objectStore('history').put(row);
        // The page may be about to go away, so the browser is told that nothing follows.
        change.commit();
      } catch {
        // The database was closed. The steps last as long as the page.
      }
    });
  },
};

let opening: Promise<IDBDatabase | undefined> | undefined;

function opened(): Promise<IDBDatabase | undefined> {
  opening ??= new Promise((resolve) => {
    try {
      const request = indexedDB.open('callboard', 1);
      request.onupgradeneeded = () => request.result.createObjectStore('history', { keyPath: ['project', 'window'] });
      request.onsuccess = () => {
        const database = request.result;
        // Another version of the app wants to change the database.
        database.onversionchange = () => database.close();
        resolve(database);
      };
      request.onerror = () => resolve(undefined);
      request.onblocked = () => resolve(undefined);
    } catch {
      resolve(undefined);
    }
  });
  return opening;
}

/** Reads all rows and removes the oldest of them that are too many. Rows of another form are ignored. */
async function allRows(): Promise<readonly Row[]> {
  const database = await opened();
  if (database === undefined) return [];
  return await new Promise((resolve) => {
    try {
      const store = database.transaction('history', 'readwrite').objectStore('history');
      const request = store.getAll();
      request.onerror = () => resolve([]);
      request.onsuccess = () => {
        const rows = request.result.filter(isRow).sort((a, b) => b.at - a.at);
        const kept = rows.filter((row, place) => place < windowsKept && rank(rows, row) < windowsOfProject);
        for (const { project, window } of rows) {
          if (!kept.some((row) => row.project === project && row.window === window)) store.delete([project, window]);
        }
        resolve(kept);
      };
    } catch {
      resolve([]);
    }
  });
}

/** Returns how many newer rows the project has. */
function rank(rows: readonly Row[], row: Row): number {
  return rows.filter((other) => other.project === row.project).indexOf(row);
}

function isRow(value: unknown): value is Row {
  return (
    isRecord(value) &&
    typeof value.project === 'string' &&
    typeof value.window === 'string' &&
    typeof value.at === 'number'
  );
}
