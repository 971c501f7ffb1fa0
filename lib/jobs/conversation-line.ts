import { findIdleLines, lockConversation, takeFromLineSql } from '@/lib/store/conversations';
import type { Store } from '@/lib/store/database';
import type { ConversationLine } from '@/lib/store/event-writer';
import type { TakenRun } from '@/lib/store/take-run';
import { transaction } from '@/lib/store/transaction';
import { queueResumedSql, queueValues } from './resume-runs';

/*
 * Turns of one conversation run one after another. Whoever adds or ends a turn locks the conversation first and its runs after that,
 * so a message that comes while a turn ends either finds it ended, or is found by its end.
 */

/** Returns what the end of a run does to the conversation that it is a turn of. */
export function lineOf({ request }: Pick<TakenRun, 'request'>): ConversationLine | undefined {
  const { conversation } = request;
  return conversation === undefined ? undefined : lineOfConversation(conversation);
}

function lineOfConversation(id: string): ConversationLine {
  return {
    lock: (connection) => lockConversation(connection, id),
    async advance(connection) {
      await connection.query(`${takeFromLineSql} ${queueResumedSql('begun', 2)}`, [id, ...queueValues]);
    },
  };
}

/** Begins turns that wait although no turn before them is active. There should be none. Returns how many conversations had one. */
export async function advanceIdleLines(store: Store): Promise<number> {
  const idle = await findIdleLines(store);
  for (const id of idle) {
    const line = lineOfConversation(id);
    await transaction(store, async (connection) => {
      await line.lock(connection);
      await line.advance(connection);
    });
  }
  return idle.length;
}
