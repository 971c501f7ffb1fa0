import { benchAnswers } from './people/answers';
import { benchInbox } from './people/inbox';
import { benchSuspended } from './people/suspended';

const rows = {
  answers: { what: 'Answer → next model call, an idle server', bench: benchAnswers },
  suspended: { what: '1,000 suspended runs in one worker', bench: benchSuspended },
  inbox: { what: 'Lists of 10,000 open questions', bench: benchInbox },
} as const;

/** Measures runs that wait for people, in the whole app. `wanted` names rows; an empty list means all rows. */
export async function benchPeople(wanted: readonly string[]): Promise<void> {
  const unknown = wanted.filter((name) => !Object.hasOwn(rows, name));
  if (unknown.length > 0) throw new Error(`No row ${unknown.join(', ')}. There are ${Object.keys(rows).join(', ')}.`);
  for (const [name, { what, bench }] of Object.entries(rows)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`\n${what} (${name})`);
    await bench();
  }
}
