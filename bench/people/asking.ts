import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { JsonObject } from '@/lib/base/json';
import { type FakeOpenAI, startFakeOpenAI } from '@/lib/testing/fake-openai';

/** An agent that asks a person, who answers in words, and then asks its model once more. */
export function asksInWords(holdSeconds: number): Readonly<Record<string, string>> {
  return {
    'agent-cards/clerk.md':
      '---\nname: clerk\ndefault: true\nmodel: openai.fake\nhuman_input: true\n---\nAsk a person, then answer.\n',
    'callboard.yaml': `version: 1\napprovals: { hold_s: ${holdSeconds} }\n`,
  };
}

/** An agent whose call of a function tool must be approved. */
export function asksForApproval(holdSeconds: number): Readonly<Record<string, string>> {
  return {
    'agent-cards/clerk.md':
      '---\nname: clerk\ndefault: true\nmodel: openai.fake\nfunction_tools: [tools.js:file_it]\n---\nFile it.\n',
    'agent-cards/tools.js': "/** Files a paper. */\nexport function file_it({ paper }) { return 'filed ' + paper; }\n",
    'callboard.yaml': `version: 1\napprovals:\n  hold_s: ${holdSeconds}\n  rules: [{ tools: [file_it], effect: ask }]\n`,
  };
}

export interface AskingModel extends Pick<FakeOpenAI, 'url' | 'close'> {
  /** Resolves with the time at which the model is called again in the run with this message. */
  nextCall(message: string): Promise<number>;
}

/** A model that first calls the tool that asks, and answers in words once it has a result. */
export async function startAskingModel(): Promise<AskingModel> {
  const arrived = new Map<string, (at: number) => void>();
  const { url, close } = await startFakeOpenAI({
    record: false,
    respond({ messages, tools }) {
      const at = performance.now();
      if (messages.at(-1)?.role === 'tool') {
        const message = messages.find(({ role }) => role === 'user')?.text ?? '';
        arrived.get(message)?.(at);
        arrived.delete(message);
        return { text: 'Done.' };
      }
      const name = tools[0]?.name ?? '';
      const input: JsonObject = name === '__human_input' ? { message: 'Which day?' } : { paper: 'A-1' };
      return { toolCalls: [{ name, arguments: input }] };
    },
  });
  return { url, close, nextCall: (message) => new Promise((resolve) => arrived.set(message, resolve)) };
}

/** Returns the open question of the run once the run has this status. Polls the database, so that the web process has no extra load. */
export async function openItemOf(database: Client, run: string, status: 'running' | 'suspended'): Promise<string> {
  for (let tries = 0; tries < 6_000; tries += 1) {
    const { rows } = await database.query<{ id: string }>(
      `SELECT item.id FROM "PendingItem" item JOIN "Run" run ON run.id = item."runId"
       WHERE run.id = $1 AND run.status = $2 AND item.status = 'open'`,
      [run, status],
    );
    if (rows[0] !== undefined) return rows[0].id;
    await sleep(5);
  }
  throw new Error(`Run ${run} asks nobody`);
}
