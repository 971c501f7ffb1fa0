import { benchAccounts } from './app/accounts';
import { benchBurst } from './app/burst';
import { benchClone } from './app/clone';
import { benchHashing } from './app/hashing';
import { benchMany } from './app/many';
import { benchMemory } from './app/memory';
import { benchServers } from './app/servers';
import { benchStarts } from './app/starts';
import { benchTeam } from './app/team';

const rows = {
  starts: { what: 'Request to start → first model call, an idle server', bench: benchStarts },
  servers: { what: '500 children × 3 calls of one stdio MCP server, everything stored', bench: benchServers },
  burst: { what: '200 one-step runs asked for at once, 2 workers', bench: benchBurst },
  many: { what: '100,000 runs and 5,000 projects', bench: benchMany },
  memory: { what: 'Memory over 1,000 runs', bench: benchMemory },
  clone: { what: '`git clone` of 200 revisions of 20 cards', bench: benchClone },
  team: { what: '100 projects with 200 revisions, and a review of 200 cards', bench: benchTeam },
  accounts: { what: 'The session check of a request, and 500 refused sign-ins a minute', bench: benchAccounts },
  hashing: { what: 'Other work while 10 MB are hashed', bench: benchHashing },
} as const;

/** Measures the whole app: web, workers, Postgres, a model over HTTP. `wanted` names rows; an empty list means all rows. */
export async function benchApp(wanted: readonly string[]): Promise<void> {
  const unknown = wanted.filter((name) => !Object.hasOwn(rows, name));
  if (unknown.length > 0) throw new Error(`No row ${unknown.join(', ')}. There are ${Object.keys(rows).join(', ')}.`);
  for (const [name, { what, bench }] of Object.entries(rows)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`\n${what} (${name})`);
    await bench();
  }
}
