import type { Issue } from '@/lib/base/issue';
import { nearName } from '@/lib/base/near-name';
import type { Card } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { FileReading } from '@/lib/cards/read/file-reading';

/** Checks what tests name: agents, and files of messages. */
export function checkFixtures(
  folder: Folder,
  readings: ReadonlyMap<string, FileReading>,
  cards: readonly Card[],
): Issue[] {
  const names = new Set(cards.map(({ name }) => name));
  return [...readings.values()].flatMap(({ fixture: reading }) => {
    if (reading?.fixture === undefined) return [];
    const { fixture, report } = reading;
    const before = report.issues.length;
    const checkAgent = (name: string | undefined, path: readonly (string | number)[]) => {
      if (name === undefined || names.has(name)) return;
      const near = nearName(name, names);
      const hint = near === undefined ? 'Correct the name.' : `Did you mean '${near}'?`;
      report.report('fixture-mismatch', path, `The folder has no agent '${name}'. ${hint}`);
    };
    checkAgent(fixture.agent, ['agent']);
    for (const [index, { agent }] of (fixture.expect.calls ?? []).entries()) {
      checkAgent(agent, ['expect', 'calls', index, 'agent']);
    }
    for (const [index, { agent }] of (fixture.expect.hooks ?? []).entries()) {
      checkAgent(agent, ['expect', 'hooks', index, 'agent']);
    }
    for (const [index, path] of (fixture.attachments ?? []).entries()) {
      if (folder.has(path)) continue;
      report.report('fixture-mismatch', ['attachments', index], `The folder has no file '${path}'. Correct the path.`);
    }
    // The report is kept with the reading, so what belongs to the other files is taken out again.
    return report.issues.splice(before);
  });
}
