import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SeededRandom } from '@/lib/testing/seeded-random';

/** The states that a crash in the middle of a write leaves: nothing, a part, or blocks of zeros. */
const ways: readonly { readonly name: string; readonly damage: (text: string) => string }[] = [
  { name: 'empty', damage: () => '' },
  { name: 'cut in half', damage: (text) => text.slice(0, Math.floor(text.length / 2)) },
  { name: 'zeros', damage: (text) => '\0'.repeat(text.length) },
  { name: 'garbage', damage: () => '}{ nonsense' },
];

/** Damages the settings, the lock and the process file of a database that no longer runs. Returns what it did. */
export async function damageDataFolder(dataFolder: string, random: SeededRandom): Promise<string> {
  const files = [path.join(dataFolder, 'postgres', 'connection.json'), ...locksOf(dataFolder)].filter((file) =>
    existsSync(file),
  );
  const notes = files.map((file) => {
    const way = random.pick(ways);
    writeFileSync(file, way.damage(readFileSync(file, 'utf8')));
    return `${path.relative(dataFolder, file)} is ${way.name}`;
  });
  return notes.length === 0 ? 'no file to damage' : notes.join(', ');
}

function locksOf(dataFolder: string): readonly string[] {
  const folder = path.join(dataFolder, 'lock');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => path.join(folder, name));
}

/**
 * Damages the file by which Postgres knows that it runs, in each cluster of the folder. Call it only while no server runs.
 */
export function damageProcessFiles(dataFolder: string, random: SeededRandom): string {
  const clusters = readdirSync(path.join(dataFolder, 'postgres'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const notes = clusters.flatMap(({ name }) => {
    const cluster = path.join(dataFolder, 'postgres', name);
    if (!existsSync(path.join(cluster, 'PG_VERSION'))) return [];
    const content = random.pick(['', 'garbage', '1\n', '-1\n', `${process.pid}\n`]);
    writeFileSync(path.join(cluster, 'postmaster.pid'), content);
    return [`postmaster.pid is ${JSON.stringify(content)}`];
  });
  return notes.join(', ');
}
