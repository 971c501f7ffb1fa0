import { benchBurst } from './app/burst';
import { benchStarts } from './app/starts';

const rows = {
  starts: { what: 'Request to start → first model call, an idle server', bench: benchStarts },
  burst: { what: '200 one-step runs asked for at once, 2 workers', bench: benchBurst },
} as const;

/** The app as a whole: web, workers, Postgres, a model over HTTP. `wanted`: names of rows; none: all. */
export async function benchApp(wanted: readonly string[]): Promise<void> {
  const unknown = wanted.filter((name) => !Object.hasOwn(rows, name));
  if (unknown.length > 0) throw new Error(`No row ${unknown.join(', ')}. There are ${Object.keys(rows).join(', ')}.`);
  for (const [name, { what, bench }] of Object.entries(rows)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`\n${what} (${name})`);
    await bench();
  }
}
